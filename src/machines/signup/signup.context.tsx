import { createMachineContext } from "../kit/context.tsx";
import type { Account } from "./signup.actors.ts";
import { signupMachine } from "./signup.machine.ts";

const Signup = createMachineContext(signupMachine, (signup) => ({
  submitDetails: (details: Account & { confirmation: string }) => signup.send({ type: "details.submit", ...details }),
}));

/** Hands a running sign-up to the views. It lives outside React: a session that starts midway must not cut it short. */
export const SignupProvider = Signup.ActorProvider;
export const useSignup = Signup.use;
/** What a person can do on the sign-up screen. */
export const useSignupEvents = Signup.useVerbs;
