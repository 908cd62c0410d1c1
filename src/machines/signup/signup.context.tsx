import { useSelector } from "@xstate/react";
import { createContext, use, useMemo } from "react";
import type { Account } from "./signup.actors.ts";
import type { SignupRef, SignupSnapshot } from "./signup.machine.ts";

const Signup = createContext<SignupRef | null>(null);

/** Hands a running sign-up to the views. It lives outside React: a session that starts midway must not cut it short. */
export const SignupProvider = Signup.Provider;

function useSignupRef(): SignupRef {
  const signup = use(Signup);
  if (!signup) throw new Error("useSignup needs a SignupProvider above it");
  return signup;
}

export const useSignup = <T,>(selector: (snapshot: SignupSnapshot) => T): T => useSelector(useSignupRef(), selector);

/** What a person can do on the sign-up screen. */
export function useSignupEvents() {
  const signup = useSignupRef();
  return useMemo(
    () => ({
      submitDetails: (details: Account & { confirmation: string }) =>
        signup.send({ type: "details.submit", ...details }),
    }),
    [signup],
  );
}
