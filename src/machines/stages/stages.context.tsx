import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { stagesMachine } from "./stages.machine.ts";
import type { StageEdit } from "./stages.rows.ts";

const Stages = createActorContext(stagesMachine);

export const StagesProvider = Stages.Provider;
export const useStages = Stages.useSelector;

/** What a person can do to the stages table. */
export function useStagesEvents() {
  const stages = Stages.useActorRef();
  return useMemo(
    () => ({
      changeRow: (key: string, change: StageEdit) => stages.send({ type: "row.change", key, change }),
      addRow: () => stages.send({ type: "row.add" }),
      moveRowUp: (key: string) => stages.send({ type: "row.move", key, step: -1 }),
      moveRowDown: (key: string) => stages.send({ type: "row.move", key, step: 1 }),
      deleteStage: (id: string) => stages.send({ type: "row.delete", id }),
      save: () => stages.send({ type: "stages.save" }),
      reload: () => stages.send({ type: "stages.reload" }),
    }),
    [stages],
  );
}
