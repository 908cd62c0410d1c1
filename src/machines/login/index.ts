import { type LoginDeps, createLoginActors } from "./login.actors.ts";
import { loginMachine } from "./login.machine.ts";

export type { Credentials, LoginDeps, LoginOutcome } from "./login.actors.ts";
export { LoginProvider, useCanLogin, useLogin, useLoginEvents } from "./login.context.tsx";
export { loginMachine } from "./login.machine.ts";
export { selectIsSigningIn } from "./login.selectors.ts";

/** The login chart with its outside parts in place. */
export const createLogin = (deps: LoginDeps) => loginMachine.provide({ actors: createLoginActors(deps) });
