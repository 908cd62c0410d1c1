import { createNewPassword } from "../../src/machines/new-password/new-password.machine.ts";
import { done, failed, modelOf, notCalled } from "../support/model.ts";

const newPasswordMachine = createNewPassword({ updatePassword: notCalled });

export const newPasswordModel = modelOf(newPasswordMachine, {
  unreported: ["savePassword"],
  events: [
    { type: "password.submit", password: "correct horse", confirmation: "correct horse" },
    { type: "password.submit", password: "correct horse", confirmation: "battery staple" },
    ...done("savePassword", { kind: "done" }, { kind: "refused", message: "Password is too weak" }),
    ...failed("savePassword", new Error("Failed to fetch")),
  ],
  secrets: /correct horse|battery staple/,
});
