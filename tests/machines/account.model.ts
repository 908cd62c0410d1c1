import { createAccount } from "../../src/machines/account/account.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, modelOf } from "../support/model.ts";

const accountMachine = createAccount(fakePage(), { endSession: () => {}, checkSession: () => {} });

export const accountModel = modelOf(accountMachine, {
  input: { email: "ada@example.com" },
  events: [
    { type: "deletion.confirm", email: " Ada@Example.com ", password: "correct horse" },
    { type: "deletion.confirm", email: "bob@example.com", password: "correct horse" },
    ...done("exportData", new Blob(["{}"])),
    ...done("deleteAccount", { kind: "deleted" }, { kind: "refused", message: "Wrong password." }),
  ],
  secrets: /correct horse/,
});
