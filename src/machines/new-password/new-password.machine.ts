import { msg } from "@lingui/core/runtime-macro";
import { assertEvent, assign, fromPromise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Auth } from "../../services/auth.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { messageOf } from "../kit/page.ts";

type PasswordOutcome = Awaited<ReturnType<Auth["updatePassword"]>>;

/**
 * Sets a new password for a user who opened the link from the e-mail. Passwords pass from event to actor and are never stored in context.
 */
export const createNewPassword = (auth: Pick<Auth, "updatePassword">) =>
  setup({
    types: {
      context: {} as { problem: UiTextOrString | null },
      events: {} as { type: "password.submit"; password: string; confirmation: string },
      tags: {} as "busy",
    },
    actors: {
      savePassword: fromPromise<PasswordOutcome, { password: string }>(({ input }) => auth.updatePassword(input)),
    },
    actions: {
      storeProblem: assign((_, params: { message: UiTextOrString }) => ({ problem: params.message })),
      storeRefusal: assign((_, outcome: PasswordOutcome) =>
        outcome.kind === "refused" ? { problem: outcome.message } : {},
      ),
      forgetProblem: assign({ problem: null }),
    },
    guards: {
      hasTwoPasswords: (_, params: { password: string; confirmation: string }) =>
        params.password !== params.confirmation,
      isRefused: (_, outcome: PasswordOutcome) => outcome.kind === "refused",
    },
  }).createMachine({
    id: "newPassword",
    context: { problem: null },
    initial: "awaitingPassword",
    states: {
      awaitingPassword: {
        on: {
          "password.submit": [
            {
              guard: withEvent("hasTwoPasswords"),
              actions: { type: "storeProblem", params: { message: msg`Passwords do not match` } },
            },
            { target: "saving", actions: "forgetProblem" },
          ],
        },
      },
      saving: {
        tags: "busy",
        invoke: {
          id: "savePassword",
          src: "savePassword",
          input: ({ event }) => {
            assertEvent(event, "password.submit");
            return { password: event.password };
          },
          onDone: [
            { guard: withOutput("isRefused"), target: "awaitingPassword", actions: withOutput("storeRefusal") },
            { target: "saved" },
          ],
          onError: {
            target: "awaitingPassword",
            actions: { type: "storeProblem", params: ({ event }) => ({ message: messageOf(event.error) }) },
          },
        },
      },
      saved: { type: "final" },
    },
  });

export const NewPassword = createChart<typeof createNewPassword>("newPassword");
