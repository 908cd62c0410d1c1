import type { Version } from "../kit/conflict.ts";
import { createMachineContext } from "../kit/context.tsx";
import { stagesMachine } from "./stages.machine.ts";
import type { StageEdit, StageRow } from "./stages.rows.ts";

const Stages = createMachineContext(stagesMachine, (stages) => ({
  restoreEdits: (rows: StageRow[]) => stages.send({ type: "edits.restore", rows }),
  changeRow: (key: string, change: StageEdit) => stages.send({ type: "row.change", key, change }),
  addRow: () => stages.send({ type: "row.add" }),
  moveRowUp: (key: string) => stages.send({ type: "row.move", key, step: -1 }),
  moveRowDown: (key: string) => stages.send({ type: "row.move", key, step: 1 }),
  deleteStage: (id: string) => stages.send({ type: "row.delete", id }),
  chooseVersion: (key: string, version: Version) => stages.send({ type: "row.choose", key, version }),
  save: () => stages.send({ type: "stages.save" }),
  retryReading: () => stages.send({ type: "reading.retry" }),
}));

export const StagesProvider = Stages.Provider;
export const useStages = Stages.use;
/** What a person can do to the stages table. */
export const useStagesEvents = Stages.useVerbs;
export const useCanStages = Stages.useCan;
