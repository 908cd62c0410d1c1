import { useMemo } from "react";
import { LoginProvider, createLogin } from "../../machines/login/index.ts";
import { LoginView } from "../../views/login/LoginView.tsx";
import type { Services } from "../services.ts";
import { forgetVisitor, visitorText } from "../visitor.ts";

export default function LoginRoute({ services }: { services: Services }) {
  const { login, keptEmail } = useMemo(() => logicOf(services), [services]);
  return (
    <LoginProvider logic={login}>
      <LoginView linkProblem={services.auth.linkProblem} onIntent={services.auth.warmUp} keptEmail={keptEmail} />
    </LoginProvider>
  );
}

function logicOf({ auth, notifier, sessionStorage }: Services) {
  const login = createLogin({
    auth: {
      async signIn(credentials) {
        const outcome = await auth.signIn(credentials);
        if (outcome.kind === "signedIn") forgetVisitor(sessionStorage);
        return outcome;
      },
    },
    notifier,
  });
  return { login, keptEmail: visitorText(sessionStorage, "email") };
}
