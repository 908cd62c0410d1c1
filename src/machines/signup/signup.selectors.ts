import type { SignupSnapshot } from "./signup.machine.ts";

export const selectIsSigningUp = (signup: SignupSnapshot) => signup.hasTag("busy");
export const selectProblem = (signup: SignupSnapshot) => signup.context.problem;
