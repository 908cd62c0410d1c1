import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { passwordLinkMachine } from "./password-link.machine.ts";

const PasswordLink = createActorContext(passwordLinkMachine);

export const PasswordLinkProvider = PasswordLink.Provider;
export const usePasswordLink = PasswordLink.useSelector;

/** What a person who forgot the password can do. */
export function usePasswordLinkEvents() {
  const link = PasswordLink.useActorRef();
  return useMemo(
    () => ({
      submitEmail: (email: string) => link.send({ type: "email.submit", email }),
      changeEmail: () => link.send({ type: "email.change" }),
    }),
    [link],
  );
}
