import { assign, fromPromise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Auth } from "../../services/auth.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { messageOf } from "../kit/page.ts";

type LinkOutcome = Awaited<ReturnType<Auth["requestPasswordReset"]>>;

/** Requests a password reset link by e-mail. It never reveals whether the address has an account. */
export const createPasswordLink = (auth: Pick<Auth, "requestPasswordReset">) =>
  setup({
    types: {
      context: {} as { email: string; problem: UiTextOrString | null },
      events: {} as { type: "email.submit"; email: string } | { type: "email.change" },
      tags: {} as "busy",
    },
    actors: {
      requestLink: fromPromise<LinkOutcome, { email: string }>(({ input }) => auth.requestPasswordReset(input)),
    },
    actions: {
      storeEmail: assign((_, params: { email: string }) => ({ email: params.email, problem: null })),
      storeProblem: assign((_, params: { message: UiTextOrString }) => ({ problem: params.message })),
      storeRefusal: assign((_, outcome: LinkOutcome) =>
        outcome.kind === "refused" ? { problem: outcome.message } : {},
      ),
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

export const PasswordLink = createChart<typeof createPasswordLink>("passwordLink");
