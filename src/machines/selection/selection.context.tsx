import { createMachineContext } from "../kit/context.tsx";
import type { BatchAction } from "./selection.actors.ts";
import { selectionMachine } from "./selection.machine.ts";
import type { ShownList } from "./selection.setup.ts";

const Selection = createMachineContext(selectionMachine, (chart) => ({
  showList: (list: ShownList) => chart.send({ type: "list.shown", list }),
  toggle: (leadId: string) => chart.send({ type: "lead.toggle", leadId }),
  extendTo: (leadId: string) => chart.send({ type: "lead.extend", leadId }),
  togglePage: () => chart.send({ type: "page.toggle" }),
  selectMatching: () => chart.send({ type: "matching.select" }),
  clear: () => chart.send({ type: "selection.clear" }),
  start: (action: BatchAction, did: string) =>
    chart.send({ type: "batch.start", action, did, key: crypto.randomUUID() }),
  cancelJob: () => chart.send({ type: "job.cancel" }),
}));

export const SelectionProvider = Selection.Provider;
export const SelectionActorProvider = Selection.ActorProvider;
export const useSelection = Selection.use;
export const useCanSelection = Selection.useCan;
/** What a person can do with the leads they chose. */
export const useSelectionEvents = Selection.useVerbs;
