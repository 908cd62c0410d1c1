import { useMemo } from "react";
import { NewPasswordProvider, createNewPassword } from "../../machines/new-password/index.ts";
import { selectUser, useSession } from "../../machines/session/index.ts";
import { NewPasswordView } from "../../views/recovery/NewPasswordView.tsx";
import type { Services } from "../services.ts";

export default function ResetPasswordRoute({ services }: { services: Services }) {
  const newPassword = useMemo(() => createNewPassword(services), [services]);
  const user = useSession(selectUser);
  return (
    <NewPasswordProvider logic={newPassword}>
      <NewPasswordView canSet={user !== null} />
    </NewPasswordProvider>
  );
}
