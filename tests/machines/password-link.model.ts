import { createPasswordLink } from "../../src/machines/password-link/password-link.machine.ts";
import { done, failed, modelOf, notCalled } from "../support/model.ts";

const passwordLinkMachine = createPasswordLink({ requestPasswordReset: notCalled });

export const passwordLinkModel = modelOf(passwordLinkMachine, {
  unreported: ["requestLink"],
  events: [
    { type: "email.submit", email: "ada@example.com" },
    ...done("requestLink", { kind: "done" }, { kind: "refused", message: "Too many requests" }),
    ...failed("requestLink", new Error("Failed to fetch")),
  ],
});
