import { createSignup } from "../../src/machines/signup/signup.machine.ts";
import { done, failed } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const signupMachine = createSignup(fakePage(), {
  signUp: () => Promise.reject(new Error("the test expected no sign-up")),
  insertProfile: async () => {},
  openLogin: () => {},
});

const details = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse" };

export const signupModel: WalkedModel = {
  unreported: ["signUp"],
  provide: overPending(signupMachine),
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
    ...failed("insertProfile", new Error("409")),
    ...failed("showAlert", new Error("closed")),
  ],
  secrets: /correct horse|battery staple/,
};
