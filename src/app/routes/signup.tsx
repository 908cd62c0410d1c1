import { useMemo } from "react";
import { navigate } from "wouter/use-browser-location";
import { createActor } from "xstate";
import { Signup, createSignup } from "../../machines/signup/signup.machine.ts";
import { SignupView } from "../../views/signup/SignupView.tsx";
import { memoizeByServices } from "../lifetime.ts";
import type { Services } from "../services.ts";
import { visitorOf } from "../visitor.ts";

/** Runs for the life of the page: without email confirmation, a session starts during the sign-up and closes its screen. */
const signupOf = memoizeByServices((services) => {
  const { auth, sessionStorage } = services;
  const signup = createSignup(services, {
    async signUp(account) {
      const outcome = await auth.signUp(account);
      if (outcome.kind === "signedUp") {
        const visitor = visitorOf(sessionStorage);
        visitor.forgetTyped();
        if (outcome.isConfirmed) visitor.confirmedSignup.remember();
      }
      return outcome;
    },
    async insertProfile(profile) {
      const { createOwnData } = await import("../../services/data.ts");
      return createOwnData(auth).insertProfile(profile);
    },
    openLogin: () => navigate("/login"),
  });
  return createActor(signup).start();
});

export default function SignupRoute({ services }: { services: Services }) {
  const { sessionStorage } = services;
  const drafts = useMemo(() => visitorOf(sessionStorage), [sessionStorage]);
  return (
    <Signup.ActorProvider value={signupOf(services)}>
      <SignupView drafts={drafts} />
    </Signup.ActorProvider>
  );
}
