import { useMemo } from "react";
import { LoginProvider, createLogin } from "../../machines/login/index.ts";
import { LoginView } from "../../views/login/LoginView.tsx";
import type { Services } from "../services.ts";

export default function LoginRoute({ services }: { services: Services }) {
  const login = useMemo(() => createLogin(services), [services]);
  return (
    <LoginProvider logic={login}>
      <LoginView linkProblem={services.auth.linkProblem} onIntent={services.auth.warmUp} />
    </LoginProvider>
  );
}
