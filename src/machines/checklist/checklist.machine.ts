import { type SnapshotFrom, assign, fromCallback, setup } from "xstate";
import { type FailureText, failed, isUnanswered, problemOf } from "../kit/failed.ts";
import { notProvided } from "../kit/not-provided.ts";
import { withEvent } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, firstReading, shownReading } from "../kit/reading.ts";
import { unreported } from "../kit/reporting.ts";

/** The steps of setting up, in their order. */
export const STEPS = ["connect", "import", "stages", "followup", "automation"] as const;
export type Step = (typeof STEPS)[number];
export type Steps = Readonly<Record<Step, boolean>>;

type ChecklistContext = {
  /** Which steps are done; null where no checklist is wanted. */
  steps: Steps | null;
  problem: string | null;
};

const placeholderActors = {
  /** Null where the checklist was dismissed, or the server does not keep that. */
  readSteps: notProvided<Steps | null, void>("readSteps"),
  addStages: notProvided<void, void>("addStages"),
  dismiss: notProvided<void, void>("dismiss"),
  watchNews: fromCallback(() => {}),
};

export const ADD_FAILED: FailureText = {
  refused: "The example stages were not added. Try again.",
  unknown: "Some of the example stages may have been added.",
};
export const DISMISS_FAILED: FailureText = {
  refused: "The checklist was not dismissed. Try again.",
  unknown: "The checklist may come back.",
};

const read = { src: "readSteps", store: "storeSteps", what: "the first steps" } as const;

/**
 * The checklist of first steps. Each step is derived from data, so it is read again on news. It closes when it is dismissed, and by
 * itself when all steps are done.
 */
export const checklistMachine = setup({
  types: {
    context: {} as ChecklistContext,
    events: {} as ReadingEvent | { type: "stages.add" } | { type: "checklist.dismiss" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeSteps: assign((_, steps: Steps | null) => ({ steps })),
    clearProblem: assign({ problem: null }),
    storeProblem: assign(problemOf),
    announceStages: () => {},
    reportFailure: unreported,
  },
  guards: {
    isUnanswered,
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
    ...firstReading({ ...read, shown: "shown" }),
    shown: {
      ...shownReading(read),
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
        onError: [
          {
            guard: withEvent("isUnanswered"),
            target: "shown.refreshing",
            actions: failed(ADD_FAILED, "the example stages were not added"),
          },
          { target: "shown", actions: failed(ADD_FAILED, "the example stages were not added") },
        ],
      },
    },
    dismissing: {
      invoke: {
        id: "dismiss",
        src: "dismiss",
        onDone: "closed",
        onError: { target: "shown", actions: failed(DISMISS_FAILED, "the checklist was not dismissed") },
      },
    },
    /** All steps are done. A failure is no matter: the checklist is completed again on the next visit. */
    completing: {
      invoke: { id: "complete", src: "dismiss", onDone: "closed", onError: "closed" },
    },
    closed: {},
  },
});

export type ChecklistSnapshot = SnapshotFrom<typeof checklistMachine>;
