import { createLogin } from "../../src/machines/login/login.machine.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const loginMachine = createLogin(fakePage(), () => new Promise(() => {}));

export const loginModel: WalkedModel = {
  unreported: ["signIn"],
  provide: overPending(loginMachine),
  events: [
    { type: "credentials.submit", email: "ada@example.com", password: "correct horse" },
    { type: "xstate.done.actor.signIn", output: { kind: "signedIn" } },
    { type: "xstate.done.actor.signIn", output: { kind: "refused", message: "Invalid login credentials" } },
    { type: "xstate.error.actor.signIn", error: new Error("Failed to fetch") },
  ],
  secrets: /correct horse/,
};
