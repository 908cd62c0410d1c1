import { signupMachine } from "../../src/machines/signup/index.ts";
import { done, failed } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

const details = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse" };

export const signupModel: WalkedModel = {
  unreported: ["signUp"],
  provide: overPending(signupMachine),
  events: [
    { type: "details.submit", ...details, confirmation: "correct horse" },
    { type: "details.submit", ...details, confirmation: "battery staple" },
    ...done(
      "signUp",
      { kind: "signedUp", userId: "ada" },
      { kind: "signedUp", userId: null },
      { kind: "refused", message: "User already registered" },
    ),
    ...failed("signUp", new Error("Failed to fetch")),
    ...failed("insertProfile", new Error("409")),
    ...failed("showAlert", new Error("closed")),
  ],
  secrets: /correct horse|battery staple/,
};
