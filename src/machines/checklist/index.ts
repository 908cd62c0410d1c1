import { fromCallback, fromPromise } from "xstate";
import { createMachineContext } from "../kit/context.tsx";
import { createReporter } from "../kit/reporting.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import {
  ADD_FAILED,
  type ChecklistSnapshot,
  DISMISS_FAILED,
  type Steps,
  checklistMachine,
} from "./checklist.machine.ts";

export type ChecklistDeps = WritingDeps & {
  checklist: {
    readSteps(signal: AbortSignal): Promise<Steps | null>;
    addStages(): Promise<void>;
    dismiss(): Promise<void>;
  };
  /** Calls back when a step may have been done; returns the way to stop. */
  onNews: (listener: () => void) => () => void;
};

const ADDED = "Example stages added.";

/** The checklist of first steps, over a gateway. */
export const createChecklist = ({ checklist, onNews, ...page }: ChecklistDeps) =>
  checklistMachine.provide({
    actors: {
      readSteps: fromPromise(({ signal }) => checklist.readSteps(signal)),
      addStages: writing(page, checklist.addStages, { done: ADDED, failed: ADD_FAILED }),
      dismiss: writing(page, checklist.dismiss, { failed: DISMISS_FAILED }),
      watchNews: fromCallback(({ sendBack }) => onNews(() => sendBack({ type: "reading.refresh" }))),
    },
    actions: {
      announceStages: () => page.notifier.toast(ADDED),
      reportFailure: createReporter(page.logger),
    },
  });

const Checklist = createMachineContext(checklistMachine, (chart) => ({
  retryReading: () => chart.send({ type: "reading.retry" }),
  addStages: () => chart.send({ type: "stages.add" }),
  dismiss: () => chart.send({ type: "checklist.dismiss" }),
}));

export const ChecklistProvider = Checklist.Provider;
export const useChecklist = Checklist.use;
export const useCanChecklist = Checklist.useCan;
/** What the user can do with the checklist. */
export const useChecklistEvents = Checklist.useVerbs;

/** Which steps are done; null where nothing is to be shown. */
export const selectSteps = (chart: ChecklistSnapshot): Steps | null =>
  chart.matches("closed") || chart.matches("completing") ? null : chart.context.steps;
export const selectProblem = (chart: ChecklistSnapshot) => chart.context.problem;
export const selectIsAdding = (chart: ChecklistSnapshot) => chart.matches("adding");
export const selectIsDismissing = (chart: ChecklistSnapshot) => chart.matches("dismissing");
export const selectIsLoading = (chart: ChecklistSnapshot) => chart.hasTag("loading");
export { selectOutdated, selectUnread } from "../kit/reading.ts";
export { STEPS, type Step, type Steps, checklistMachine } from "./checklist.machine.ts";
