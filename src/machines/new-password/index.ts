import { type NewPasswordDeps, createNewPasswordActors } from "./new-password.actors.ts";
import { newPasswordMachine } from "./new-password.machine.ts";

export type { NewPasswordDeps } from "./new-password.actors.ts";
export { NewPasswordProvider, useNewPassword, useNewPasswordEvents } from "./new-password.context.tsx";
export { newPasswordMachine } from "./new-password.machine.ts";
export * from "./new-password.selectors.ts";

/** The chart of a new password with its outside parts in place. */
export const createNewPassword = (deps: NewPasswordDeps) =>
  newPasswordMachine.provide({ actors: createNewPasswordActors(deps) });
