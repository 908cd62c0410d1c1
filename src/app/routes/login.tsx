import { useMemo } from "react";
import { LoginProvider, createLogin } from "../../machines/login/index.ts";
import { LoginView } from "../../views/login/LoginView.tsx";
import type { KeptText } from "../../ui/kept-text.ts";
import type { Services } from "../services.ts";

export default function LoginRoute({ services }: { services: Services }) {
  const { login, keptEmail } = useMemo(() => logicOf(services), [services]);
  return (
    <LoginProvider logic={login}>
      <LoginView linkProblem={services.auth.linkProblem} onIntent={services.auth.warmUp} keptEmail={keptEmail} />
    </LoginProvider>
  );
}

/** Nobody is here yet: the e-mail is no draft of a person, and lies in this tab until somebody signs in. */
const EMAIL = "leadloom.login_email";

function logicOf({ auth, notifier, sessionStorage }: Services) {
  const keptEmail: KeptText = {
    read: (saved) => sessionStorage.get(EMAIL) ?? saved,
    keep: (text) => (text === "" ? sessionStorage.remove(EMAIL) : sessionStorage.set(EMAIL, text)),
  };
  const login = createLogin({
    auth: {
      async signIn(credentials) {
        const outcome = await auth.signIn(credentials);
        if (outcome.kind === "signedIn") sessionStorage.remove(EMAIL);
        return outcome;
      },
    },
    notifier,
  });
  return { login, keptEmail };
}
