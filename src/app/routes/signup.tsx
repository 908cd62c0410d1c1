import { navigate } from "wouter/use-browser-location";
import { SignupProvider, type SignupRef, startSignup } from "../../machines/signup/index.ts";
import { SignupView } from "../../views/signup/SignupView.tsx";
import type { Services } from "../services.ts";

// Without e-mail confirmation a session starts in the middle of a sign-up and takes the screen away: the sign-up goes on.
const signups = new WeakMap<Services, SignupRef>();

function signupOf(services: Services): SignupRef {
  const signup = signups.get(services) ?? startSignup({ ...services, openLogin: () => navigate("/login") });
  signups.set(services, signup);
  return signup;
}

export default function SignupRoute({ services }: { services: Services }) {
  return (
    <SignupProvider value={signupOf(services)}>
      <SignupView />
    </SignupProvider>
  );
}
