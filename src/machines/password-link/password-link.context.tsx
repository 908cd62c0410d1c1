import { createMachineContext } from "../kit/context.tsx";
import { passwordLinkMachine } from "./password-link.machine.ts";

const PasswordLink = createMachineContext(passwordLinkMachine, (passwordLink) => ({
  submitEmail: (email: string) => passwordLink.send({ type: "email.submit", email }),
  changeEmail: () => passwordLink.send({ type: "email.change" }),
}));

export const PasswordLinkProvider = PasswordLink.Provider;
export const usePasswordLink = PasswordLink.use;
/** What a person who forgot the password can do. */
export const usePasswordLinkEvents = PasswordLink.useVerbs;
