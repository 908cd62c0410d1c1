import { createMachineContext } from "../kit/context.tsx";
import type { Credentials } from "./login.actors.ts";
import { loginMachine } from "./login.machine.ts";

const Login = createMachineContext(loginMachine, (login) => ({
  submitCredentials: ({ email, password }: Credentials) => login.send({ type: "credentials.submit", email, password }),
}));

export const LoginProvider = Login.Provider;
export const useLogin = Login.use;
export const useCanLogin = Login.useCan;
/** What a person can do on the login screen. */
export const useLoginEvents = Login.useVerbs;
