import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { newPasswordMachine } from "./new-password.machine.ts";

const NewPassword = createActorContext(newPasswordMachine);

export const NewPasswordProvider = NewPassword.Provider;
export const useNewPassword = NewPassword.useSelector;

/** What a person who came by a password link can do. */
export function useNewPasswordEvents() {
  const newPassword = NewPassword.useActorRef();
  return useMemo(
    () => ({
      submitPassword: (password: string, confirmation: string) =>
        newPassword.send({ type: "password.submit", password, confirmation }),
    }),
    [newPassword],
  );
}
