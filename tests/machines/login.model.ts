import { createLogin } from "../../src/machines/login/login.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failed } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const loginMachine = createLogin(fakePage(), () => new Promise(() => {}));

export const loginModel: WalkedModel = {
  unreported: ["signIn"],
  provide: overPending(loginMachine),
  events: [
    { type: "credentials.submit", email: "ada@example.com", password: "correct horse" },
    ...done("signIn", { kind: "signedIn" }, { kind: "refused", message: "Invalid login credentials" }),
    ...failed("signIn", new Error("Failed to fetch")),
  ],
  secrets: /correct horse/,
};
