import { msg } from "@lingui/core/runtime-macro";
import { assertEvent, assign, fromPromise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Auth } from "../../services/auth.ts";
import { createChart, withOutput } from "../kit/chart.ts";
import { alerting, alertState } from "../kit/confirming.ts";
import { type Page, messageOf } from "../kit/page.ts";

type SignIn = Auth["signIn"];
type Credentials = Parameters<SignIn>[0];
type LoginOutcome = Awaited<ReturnType<SignIn>>;

const problemOf = ({ context }: { context: { problem: UiTextOrString } }) => ({
  message: msg`Login failed: ${{ problem: context.problem }}`,
});

/**
 * Signs a user in with e-mail and password. The session chart continues after success. The password passes from event to actor and is
 * never stored in context.
 */
export const createLogin = (page: Pick<Page, "notifier">, signIn: SignIn) =>
  setup({
    types: {
      context: {} as { problem: UiTextOrString },
      events: {} as { type: "credentials.submit" } & Credentials,
      tags: {} as "busy",
    },
    actors: {
      signIn: fromPromise<LoginOutcome, Credentials>(({ input }) => signIn(input)),
      showAlert: alerting(page.notifier),
    },
    actions: {
      storeProblem: assign((_, params: { message: UiTextOrString }) => ({ problem: params.message })),
      storeRefusal: assign((_, outcome: LoginOutcome) =>
        outcome.kind === "refused" ? { problem: outcome.message } : {},
      ),
      forgetProblem: assign({ problem: "" }),
    },
    guards: { isRefused: (_, outcome: LoginOutcome) => outcome.kind === "refused" },
  }).createMachine({
    id: "login",
    context: { problem: "" },
    initial: "awaitingCredentials",
    states: {
      awaitingCredentials: {
        on: { "credentials.submit": { target: "signingIn", actions: "forgetProblem" } },
      },
      signingIn: {
        tags: "busy",
        invoke: {
          id: "signIn",
          src: "signIn",
          input: ({ event }) => {
            assertEvent(event, "credentials.submit");
            return { email: event.email, password: event.password };
          },
          onDone: [
            { guard: withOutput("isRefused"), target: "showingProblem", actions: withOutput("storeRefusal") },
            { target: "signedIn" },
          ],
          onError: {
            target: "showingProblem",
            actions: { type: "storeProblem", params: ({ event }) => ({ message: messageOf(event.error) }) },
          },
        },
      },
      showingProblem: alertState(problemOf, "awaitingCredentials"),
      signedIn: { type: "final" },
    },
  });

export const Login = createChart<typeof createLogin>("login");
