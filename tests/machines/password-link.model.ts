import { createPasswordLink } from "../../src/machines/password-link/password-link.machine.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const passwordLinkMachine = createPasswordLink({ requestPasswordReset: () => new Promise(() => {}) });

export const passwordLinkModel: WalkedModel = {
  unreported: ["requestLink"],
  provide: overPending(passwordLinkMachine),
  events: [
    { type: "email.submit", email: "ada@example.com" },
    { type: "xstate.done.actor.requestLink", output: { kind: "done" } },
    { type: "xstate.done.actor.requestLink", output: { kind: "refused", message: "Too many requests" } },
    { type: "xstate.error.actor.requestLink", error: new Error("Failed to fetch") },
  ],
};
