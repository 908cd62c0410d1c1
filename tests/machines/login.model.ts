import { createLogin } from "../../src/machines/login/login.machine.ts";
import { fakePage } from "../support/page.ts";
import { done, failed, modelOf, notCalled } from "../support/model.ts";

export const loginModel = modelOf(createLogin(fakePage(), notCalled), {
  unreported: ["signIn"],
  events: [
    { type: "credentials.submit", email: "ada@example.com", password: "correct horse" },
    ...done("signIn", { kind: "signedIn" }, { kind: "refused", message: "Invalid login credentials" }),
    ...failed("signIn", new Error("Failed to fetch")),
  ],
  secrets: /correct horse/,
});
