import { type PasswordLinkDeps, createPasswordLinkActors } from "./password-link.actors.ts";
import { passwordLinkMachine } from "./password-link.machine.ts";

export type { PasswordLinkDeps } from "./password-link.actors.ts";
export { PasswordLinkProvider, usePasswordLink, usePasswordLinkEvents } from "./password-link.context.tsx";
export { passwordLinkMachine } from "./password-link.machine.ts";
export * from "./password-link.selectors.ts";

/** The chart of a forgotten password with its outside parts in place. */
export const createPasswordLink = (deps: PasswordLinkDeps) =>
  passwordLinkMachine.provide({ actors: createPasswordLinkActors(deps) });
