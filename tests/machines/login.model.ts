import type { Model } from "../support/walk-machine.ts";

export const loginModel: Model = {
  events: [
    { type: "credentials.submit", email: "ada@example.com", password: "correct horse" },
    { type: "xstate.done.actor.signIn", output: { kind: "signedIn" } },
    { type: "xstate.done.actor.signIn", output: { kind: "refused", message: "Invalid login credentials" } },
    { type: "xstate.error.actor.signIn", error: new Error("Failed to fetch") },
  ],
};
