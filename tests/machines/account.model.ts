import { createAccount } from "../../src/machines/account/account.machine.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const accountMachine = createAccount(fakePage(), { endSession: () => {}, checkSession: () => {} });

export const accountModel: WalkedModel = {
  provide: overPending(accountMachine),
  input: { email: "ada@example.com" },
  events: [
    { type: "deletion.confirm", email: "ada@example.com", password: "correct horse" },
    { type: "deletion.confirm", email: "bob@example.com", password: "correct horse" },
    { type: "xstate.done.actor.exportData", output: new Blob(["{}"]) },
    { type: "xstate.error.actor.exportData", error: new Error("503") },
    { type: "xstate.done.actor.deleteAccount", output: { kind: "deleted" } },
    { type: "xstate.done.actor.deleteAccount", output: { kind: "refused", message: "Wrong password." } },
    { type: "xstate.error.actor.deleteAccount", error: new Error("503") },
  ],
  secrets: /correct horse/,
};
