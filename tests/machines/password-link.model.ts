import { createPasswordLink } from "../../src/machines/password-link/password-link.machine.ts";
import { done, failed } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const passwordLinkMachine = createPasswordLink({ requestPasswordReset: () => new Promise(() => {}) });

export const passwordLinkModel: WalkedModel = {
  unreported: ["requestLink"],
  provide: overPending(passwordLinkMachine),
  events: [
    { type: "email.submit", email: "ada@example.com" },
    ...done("requestLink", { kind: "done" }, { kind: "refused", message: "Too many requests" }),
    ...failed("requestLink", new Error("Failed to fetch")),
  ],
};
