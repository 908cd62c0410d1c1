import { type SnapshotFrom, assertEvent, assign, setup } from "xstate";
import { withEvent, withOutput } from "../kit/payload.ts";
import { failed, problemOf, readFailure } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import { type DeletionOutcome, DELETION_FAILED, placeholderActors } from "./account.actors.ts";

const NOT_EXPORTED = readFailure("Your data could not be exported. Try again.");
const NOT_CONFIRMED = "Type the email of this account exactly to confirm.";

type Deletion = { type: "deletion.confirm"; email: string; password: string };

/**
 * The account as a whole: its data as a file, and its deletion behind the e-mail typed out and the password.
 * The password passes from event to actor and never rests in context.
 */
export const accountMachine = setup({
  types: {
    input: {} as { email: string },
    context: {} as { email: string; problem: string | null },
    events: {} as { type: "export.request" } | { type: "deletion.open" } | { type: "deletion.cancel" } | Deletion,
  },
  actors: placeholderActors,
  actions: {
    storeProblem: assign(problemOf),
    storeUnconfirmed: assign({ problem: NOT_CONFIRMED }),
    storeRefusal: assign((_, outcome: DeletionOutcome) =>
      outcome.kind === "refused" ? { problem: outcome.message } : {},
    ),
    forgetProblem: assign({ problem: null }),
    saveFile: (_args, _params: { file: Blob }) => {},
    endSession: () => {},
    checkSession: () => {},
    reportFailure: unreported,
  },
  guards: {
    isOtherEmail: ({ context }, params: Deletion) => params.email.trim().toLowerCase() !== context.email.toLowerCase(),
    isRefused: (_, outcome: DeletionOutcome) => outcome.kind === "refused",
  },
}).createMachine({
  id: "account",
  context: ({ input }) => ({ email: input.email, problem: null }),
  initial: "kept",
  states: {
    kept: {
      on: {
        "export.request": { target: "exporting", actions: "forgetProblem" },
        "deletion.open": { target: "awaitingConfirmation", actions: "forgetProblem" },
      },
    },
    exporting: {
      invoke: {
        id: "exportData",
        src: "exportData",
        onDone: { target: "kept", actions: { type: "saveFile", params: ({ event }) => ({ file: event.output }) } },
        onError: {
          target: "kept",
          actions: failed(NOT_EXPORTED, "the export failed"),
        },
      },
    },
    awaitingConfirmation: {
      on: {
        "deletion.cancel": { target: "kept", actions: "forgetProblem" },
        "deletion.confirm": [
          { guard: withEvent("isOtherEmail"), actions: "storeUnconfirmed" },
          { target: "deleting", actions: "forgetProblem" },
        ],
      },
    },
    deleting: {
      invoke: {
        id: "deleteAccount",
        src: "deleteAccount",
        input: ({ event }) => {
          assertEvent(event, "deletion.confirm");
          return { password: event.password };
        },
        onDone: [
          { guard: withOutput("isRefused"), target: "awaitingConfirmation", actions: withOutput("storeRefusal") },
          { target: "deleted" },
        ],
        onError: {
          target: "awaitingConfirmation",
          actions: [...failed(DELETION_FAILED, "the deletion failed"), "checkSession"],
        },
      },
    },
    deleted: { entry: "endSession", type: "final" },
  },
});

export type AccountSnapshot = SnapshotFrom<typeof accountMachine>;
