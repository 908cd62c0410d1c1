import { useMemo } from "react";
import { PasswordLinkProvider, createPasswordLink } from "../../machines/password-link/index.ts";
import { ForgotPasswordView } from "../../views/recovery/ForgotPasswordView.tsx";
import type { Services } from "../services.ts";

export default function ForgotPasswordRoute({ services }: { services: Services }) {
  const link = useMemo(() => createPasswordLink(services), [services]);
  return (
    <PasswordLinkProvider logic={link}>
      <ForgotPasswordView />
    </PasswordLinkProvider>
  );
}
