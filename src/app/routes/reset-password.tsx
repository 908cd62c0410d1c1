import { useMemo } from "react";
import { NewPassword, createNewPassword } from "../../machines/new-password/new-password.machine.ts";
import { Session } from "../../machines/session/session.machine.ts";
import { NewPasswordView } from "../../views/recovery/NewPasswordView.tsx";
import type { Services } from "../services.ts";

export default function ResetPasswordRoute({ services }: { services: Services }) {
  const newPassword = useMemo(() => createNewPassword(services.auth), [services]);
  const user = Session.useSelector((session) => session.context.user);
  return (
    <NewPassword.Provider logic={newPassword}>
      <NewPasswordView canSet={user !== null} />
    </NewPassword.Provider>
  );
}
