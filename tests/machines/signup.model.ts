import { createSignup } from "../../src/machines/signup/signup.machine.ts";
import { done, failed, modelOf, notCalled } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

const signupMachine = createSignup(fakePage(), {
  signUp: notCalled,
  insertProfile: async () => {},
  openLogin: () => {},
});

const details = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse" };

export const signupModel = modelOf(signupMachine, {
  unreported: ["signUp"],
  events: [
    { type: "details.submit", ...details, confirmation: "correct horse" },
    { type: "details.submit", ...details, confirmation: "battery staple" },
    ...done(
      "signUp",
      { kind: "signedUp", userId: "ada", isConfirmed: false },
      { kind: "signedUp", userId: null, isConfirmed: false },
      { kind: "refused", message: "User already registered" },
    ),
    ...failed("signUp", new Error("Failed to fetch")),
  ],
  secrets: /correct horse|battery staple/,
});
