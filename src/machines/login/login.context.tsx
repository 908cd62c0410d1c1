import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import type { Credentials } from "./login.actors.ts";
import { loginMachine } from "./login.machine.ts";

const Login = createActorContext(loginMachine);

export const LoginProvider = Login.Provider;
export const useLogin = Login.useSelector;

/** What a person can do on the login screen. */
export function useLoginEvents() {
  const login = Login.useActorRef();
  return useMemo(
    () => ({
      submitCredentials: ({ email, password }: Credentials) =>
        login.send({ type: "credentials.submit", email, password }),
    }),
    [login],
  );
}
