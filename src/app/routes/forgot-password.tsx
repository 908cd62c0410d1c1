import { useMemo } from "react";
import { PasswordLink, createPasswordLink } from "../../machines/password-link/password-link.machine.ts";
import { ForgotPasswordView } from "../../views/recovery/ForgotPasswordView.tsx";
import type { Services } from "../services.ts";

export default function ForgotPasswordRoute({ services }: { services: Services }) {
  const link = useMemo(() => createPasswordLink(services.auth), [services]);
  return (
    <PasswordLink.Provider logic={link}>
      <ForgotPasswordView />
    </PasswordLink.Provider>
  );
}
