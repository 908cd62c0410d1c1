import { createMachineContext } from "../kit/context.tsx";
import { newPasswordMachine } from "./new-password.machine.ts";

const NewPassword = createMachineContext(newPasswordMachine, (newPassword) => ({
  submitPassword: (password: string, confirmation: string) =>
    newPassword.send({ type: "password.submit", password, confirmation }),
}));

export const NewPasswordProvider = NewPassword.Provider;
export const useNewPassword = NewPassword.use;
/** What a person who came by a password link can do. */
export const useNewPasswordEvents = NewPassword.useVerbs;
