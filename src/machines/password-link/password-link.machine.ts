import { type SnapshotFrom, assign, setup } from "xstate";
import { withEvent, withOutput } from "../kit/payload.ts";
import { messageOf } from "../kit/reporting.ts";
import { type LinkOutcome, placeholderActors } from "./password-link.actors.ts";

/** Has a link to a new password sent by e-mail. It never tells whether the address has an account. */
export const passwordLinkMachine = setup({
  types: {
    context: {} as { email: string; problem: string | null },
    events: {} as { type: "email.submit"; email: string } | { type: "email.change" },
    tags: {} as "busy",
  },
  actors: placeholderActors,
  actions: {
    storeEmail: assign((_, params: { email: string }) => ({ email: params.email, problem: null })),
    storeProblem: assign((_, params: { message: string }) => ({ problem: params.message })),
    storeRefusal: assign((_, outcome: LinkOutcome) => (outcome.kind === "refused" ? { problem: outcome.message } : {})),
  },
  guards: { isRefused: (_, outcome: LinkOutcome) => outcome.kind === "refused" },
}).createMachine({
  id: "passwordLink",
  context: { email: "", problem: null },
  initial: "awaitingEmail",
  states: {
    awaitingEmail: {
      on: { "email.submit": { target: "sending", actions: withEvent("storeEmail") } },
    },
    sending: {
      tags: "busy",
      invoke: {
        id: "requestLink",
        src: "requestLink",
        input: ({ context }) => ({ email: context.email }),
        onDone: [
          { guard: withOutput("isRefused"), target: "awaitingEmail", actions: withOutput("storeRefusal") },
          { target: "sent" },
        ],
        onError: {
          target: "awaitingEmail",
          actions: { type: "storeProblem", params: ({ event }) => ({ message: messageOf(event.error) }) },
        },
      },
    },
    sent: { on: { "email.change": "awaitingEmail" } },
  },
});

export type PasswordLinkSnapshot = SnapshotFrom<typeof passwordLinkMachine>;
