import { type SnapshotFrom, assign, setup } from "xstate";
import { withEvent, withOutput } from "../kit/payload.ts";
import { firstReading } from "../kit/reading.ts";
import { failed, isUnanswered, problemOf } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import { SAVE_FAILED, placeholderActors } from "./read-receipts.actors.ts";

/**
 * Whether people are shown that their messages were read before they are answered. What holds is never guessed: there is no switch
 * before it was read, and one change is saved at a time.
 */
export const readReceiptsMachine = setup({
  types: {
    context: {} as { isOn: boolean; problem: string | null },
    events: {} as { type: "reading.retry" } | { type: "receipts.switch" },
  },
  actors: placeholderActors,
  actions: {
    store: assign(({ context }, isOn: boolean) => ({
      isOn,
      // A change that came about without an answer is no problem any more.
      problem: isOn === context.isOn ? context.problem : null,
    })),
    storeProblem: assign(problemOf),
    reportFailure: unreported,
  },
  guards: { isUnanswered },
}).createMachine({
  id: "readReceipts",
  context: { isOn: false, problem: null },
  initial: "loading",
  states: {
    ...firstReading({ src: "readReceipts", store: "store", what: "the read receipts", shown: "resting" }),
    resting: { on: { "receipts.switch": "saving" } },
    saving: {
      invoke: {
        id: "saveReceipts",
        src: "saveReceipts",
        input: ({ context }) => ({ isOn: !context.isOn }),
        onDone: { target: "resting", actions: withOutput("store") },
        onError: [
          {
            guard: withEvent("isUnanswered"),
            target: "loading",
            actions: failed(SAVE_FAILED, "the read receipts were not saved"),
          },
          { target: "resting", actions: failed(SAVE_FAILED, "the read receipts were not saved") },
        ],
      },
    },
  },
});

export type ReadReceiptsSnapshot = SnapshotFrom<typeof readReceiptsMachine>;
