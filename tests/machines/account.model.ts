import { createAccount } from "../../src/machines/account/account.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failed } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const accountMachine = createAccount(fakePage(), { endSession: () => {}, checkSession: () => {} });

export const accountModel: WalkedModel = {
  provide: overPending(accountMachine),
  input: { email: "ada@example.com" },
  events: [
    { type: "deletion.confirm", email: " Ada@Example.com ", password: "correct horse" },
    { type: "deletion.confirm", email: "bob@example.com", password: "correct horse" },
    ...done("exportData", new Blob(["{}"])),
    ...failed("exportData", new Error("503")),
    ...done("deleteAccount", { kind: "deleted" }, { kind: "refused", message: "Wrong password." }),
    ...failed("deleteAccount", new Error("503")),
  ],
  secrets: /correct horse/,
};
