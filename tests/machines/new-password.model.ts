import { createNewPassword } from "../../src/machines/new-password/new-password.machine.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const newPasswordMachine = createNewPassword({ updatePassword: () => new Promise(() => {}) });

export const newPasswordModel: WalkedModel = {
  unreported: ["savePassword"],
  provide: overPending(newPasswordMachine),
  events: [
    { type: "password.submit", password: "correct horse", confirmation: "correct horse" },
    { type: "password.submit", password: "correct horse", confirmation: "battery staple" },
    { type: "xstate.done.actor.savePassword", output: { kind: "done" } },
    { type: "xstate.done.actor.savePassword", output: { kind: "refused", message: "Password is too weak" } },
    { type: "xstate.error.actor.savePassword", error: new Error("Failed to fetch") },
  ],
  secrets: /correct horse|battery staple/,
};
