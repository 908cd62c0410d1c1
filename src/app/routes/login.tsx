import { useMemo } from "react";
import { Login, createLogin } from "../../machines/login/login.machine.ts";
import { LoginView } from "../../views/login/LoginView.tsx";
import type { Services } from "../services.ts";
import { visitorOf } from "../visitor.ts";

export default function LoginRoute({ services }: { services: Services }) {
  const { login, emailDraft, isConfirmed } = useMemo(() => logicOf(services), [services]);
  return (
    <Login.Provider logic={login}>
      <LoginView
        linkProblem={services.auth.linkProblem}
        isConfirmed={isConfirmed}
        onIntent={services.auth.warmUp}
        emailDraft={emailDraft}
      />
    </Login.Provider>
  );
}

function logicOf(services: Services) {
  const { auth } = services;
  const visitor = visitorOf(services.sessionStorage);
  const login = createLogin(services, async (credentials) => {
    const outcome = await auth.signIn(credentials);
    if (outcome.kind === "signedIn") {
      visitor.forgetTyped();
      visitor.confirmedSignup.forget();
    }
    return outcome;
  });
  return {
    login,
    emailDraft: visitor.email,
    isConfirmed: visitor.confirmedSignup.get(),
  };
}
