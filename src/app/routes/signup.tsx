import { useMemo } from "react";
import { navigate } from "wouter/use-browser-location";
import { SignupProvider, type SignupRef, startSignup } from "../../machines/signup/index.ts";
import { SignupView } from "../../views/signup/SignupView.tsx";
import type { Services } from "../services.ts";
import { confirmedSignup, forgetVisitor, visitorText } from "../visitor.ts";

// Without e-mail confirmation a session starts in the middle of a sign-up and takes the screen away: the sign-up goes on.
const signups = new WeakMap<Services, SignupRef>();

function signupOf(services: Services): SignupRef {
  const { auth, sessionStorage } = services;
  const signUp: typeof auth.signUp = async (account) => {
    const outcome = await auth.signUp(account);
    if (outcome.kind === "signedUp") {
      forgetVisitor(sessionStorage);
      if (outcome.isConfirmed) confirmedSignup(sessionStorage).remember();
    }
    return outcome;
  };
  const signup =
    signups.get(services) ?? startSignup({ ...services, auth: { signUp }, openLogin: () => navigate("/login") });
  signups.set(services, signup);
  return signup;
}

export default function SignupRoute({ services }: { services: Services }) {
  const { sessionStorage } = services;
  const kept = useMemo(
    () => ({ name: visitorText(sessionStorage, "name"), email: visitorText(sessionStorage, "email") }),
    [sessionStorage],
  );
  return (
    <SignupProvider value={signupOf(services)}>
      <SignupView kept={kept} />
    </SignupProvider>
  );
}
