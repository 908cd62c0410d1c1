import { signupMachine } from "../../src/machines/signup/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

const details = { name: "Ada Lovelace", email: "ada@example.com", password: "correct horse" };

export const signupModel: WalkedModel = {
  unreported: ["signUp"],
  provide: overPending(signupMachine),
  events: [
    { type: "details.submit", ...details, confirmation: "correct horse" },
    { type: "details.submit", ...details, confirmation: "battery staple" },
    { type: "xstate.done.actor.signUp", output: { kind: "signedUp", userId: "ada" } },
    { type: "xstate.done.actor.signUp", output: { kind: "signedUp", userId: null } },
    { type: "xstate.done.actor.signUp", output: { kind: "refused", message: "User already registered" } },
    { type: "xstate.error.actor.signUp", error: new Error("Failed to fetch") },
    { type: "xstate.error.actor.insertProfile", error: new Error("409") },
    { type: "xstate.error.actor.showAlert", error: new Error("closed") },
  ],
  secrets: /correct horse|battery staple/,
};
