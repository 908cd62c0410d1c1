import { type ActorOptions, createActor } from "xstate";
import { createReporter } from "../kit/reporting.ts";
import { type SignupDeps, createSignupActors } from "./signup.actors.ts";
import { type SignupRef, signupMachine } from "./signup.machine.ts";

export type { SignUpOutcome, SignupDeps } from "./signup.actors.ts";
export { SignupProvider, useSignup, useSignupEvents } from "./signup.context.tsx";
export { type SignupRef, signupMachine } from "./signup.machine.ts";
export * from "./signup.selectors.ts";

/** The sign-up chart with its outside parts in place. */
const createSignup = (deps: SignupDeps) =>
  signupMachine.provide({
    actors: createSignupActors(deps),
    actions: {
      openLogin: () => deps.openLogin(),
      reportFailure: createReporter(deps.logger),
    },
  });

/** Starts a sign-up that runs until the page goes. */
export const startSignup = (deps: SignupDeps, options?: ActorOptions<typeof signupMachine>): SignupRef =>
  createActor(createSignup(deps), options).start();
