import { type SnapshotFrom, assign, setup } from "xstate";
import { withOutput } from "../kit/payload.ts";
import { firstReading } from "../kit/reading.ts";
import { problemOf, refused } from "../kit/refused.ts";
import { unreported } from "../kit/reporting.ts";
import { NOT_SAVED, placeholderActors } from "./read-receipts.actors.ts";

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
    store: assign((_, isOn: boolean) => ({ isOn, problem: null })),
    storeProblem: assign(problemOf),
    reportFailure: unreported,
  },
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
        onError: {
          target: "resting",
          actions: refused(NOT_SAVED, "the read receipts were not saved"),
        },
      },
    },
  },
});

export type ReadReceiptsSnapshot = SnapshotFrom<typeof readReceiptsMachine>;
