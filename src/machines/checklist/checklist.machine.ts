import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { createChecklistGateway } from "../../services/checklist.ts";
import { createChart } from "../kit/chart.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { refreshable, refreshableLoad, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, problemOf, writing } from "../kit/writing.ts";

/** The setup steps, in display order. */
export const STEPS = ["connect", "import", "stages", "followup", "automation"] as const;
export type Step = (typeof STEPS)[number];
export type Steps = Readonly<Record<Step, boolean>>;

type ChecklistContext = {
  /** Which steps are done; null when the user dismissed the checklist. */
  steps: Steps | null;
  problem: UiTextOrString | null;
};

type ChecklistParts = {
  checklist?: Pick<ReturnType<typeof createChecklistGateway>, "readSteps" | "addStages" | "dismiss">;
};

const ADDED = msg`Example stages added.`;
const ADD_FAILED: FailureText = {
  refused: msg`The example stages were not added. Try again.`,
  unknown: msg`Some of the example stages may have been added.`,
};
const DISMISS_FAILED: FailureText = {
  refused: msg`The checklist was not dismissed. Try again.`,
  unknown: msg`The checklist may come back.`,
};

const read = { src: "readSteps", store: "storeSteps", what: msg`the first steps` } as const;

/**
 * The checklist of first steps. Each step is derived from data, so the list refreshes when data changes. It closes when the user
 * dismisses it or when all steps are done.
 */
export const createChecklist = (page: Page, { checklist = createChecklistGateway(page.http) }: ChecklistParts = {}) =>
  setup({
    types: {
      context: {} as ChecklistContext,
      events: {} as ReadingEvent | { type: "stages.add" } | { type: "checklist.dismiss" },
      tags: {} as ReadingTag,
    },
    actors: {
      readSteps: fetching(checklist.readSteps),
      addStages: writing(page, checklist.addStages, { done: ADDED, failed: ADD_FAILED }),
      dismiss: writing(page, checklist.dismiss, { failed: DISMISS_FAILED }),
      watchNews: watchingReturns((listener) => page.events.subscribe("telegram.changed", listener)),
    },
    actions: {
      storeSteps: assign((_, steps: Steps | null) => ({ steps })),
      clearProblem: assign({ problem: null }),
      storeProblem: assign(problemOf),
      announceStages: () => page.notifier.toast(ADDED),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isClosed: ({ context }) => context.steps === null,
      isComplete: ({ context }) => context.steps !== null && STEPS.every((step) => context.steps?.[step]),
      hasNoStages: ({ context }) => context.steps?.stages === false,
    },
  }).createMachine({
    id: "checklist",
    context: { steps: null, problem: null },
    initial: "loading",
    invoke: { id: "watchNews", src: "watchNews" },
    states: {
      ...refreshableLoad({ ...read, shown: "shown" }),
      shown: {
        ...refreshable(read),
        always: [
          { guard: "isClosed", target: "closed" },
          { guard: "isComplete", target: "completing" },
        ],
        on: {
          "reading.refresh": ".refreshing",
          "stages.add": { guard: "hasNoStages", target: "adding", actions: "clearProblem" },
          "checklist.dismiss": { target: "dismissing", actions: "clearProblem" },
        },
      },
      adding: {
        invoke: {
          id: "addStages",
          src: "addStages",
          onDone: { target: "shown.refreshing", actions: "announceStages" },
          onError: {
            target: "shown.refreshing",
            actions: failed(ADD_FAILED, "the example stages were not added"),
          },
        },
      },
      dismissing: {
        invoke: {
          id: "dismiss",
          src: "dismiss",
          onDone: "closed",
          onError: { target: "shown.refreshing", actions: failed(DISMISS_FAILED, "the checklist was not dismissed") },
        },
      },
      /** All steps are done. A failure needs no handling: the next visit completes the checklist. */
      completing: {
        invoke: { id: "complete", src: "dismiss", onDone: "closed", onError: "closed" },
      },
      closed: {},
    },
  });

export const Checklist = createChart<typeof createChecklist>("checklist");

/** Which steps are done; null if there is no checklist to show. */
export const selectSteps = (chart: SnapshotFrom<typeof createChecklist>): Steps | null =>
  chart.matches("closed") || chart.matches("completing") ? null : chart.context.steps;
