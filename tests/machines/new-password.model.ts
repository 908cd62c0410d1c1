import { createNewPassword } from "../../src/machines/new-password/new-password.machine.ts";
import { done, failed } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const newPasswordMachine = createNewPassword({ updatePassword: () => new Promise(() => {}) });

export const newPasswordModel: WalkedModel = {
  unreported: ["savePassword"],
  provide: overPending(newPasswordMachine),
  events: [
    { type: "password.submit", password: "correct horse", confirmation: "correct horse" },
    { type: "password.submit", password: "correct horse", confirmation: "battery staple" },
    ...done("savePassword", { kind: "done" }, { kind: "refused", message: "Password is too weak" }),
    ...failed("savePassword", new Error("Failed to fetch")),
  ],
  secrets: /correct horse|battery staple/,
};
