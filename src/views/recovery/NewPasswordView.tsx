import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import { NewPassword } from "../../machines/new-password/new-password.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { FormProblem, submitting } from "../../ui/form.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Stack } from "../../ui/layout.tsx";
import { AuthLayout } from "../shell/AuthLayout.tsx";

/** `canSet` is false without a session: the link was used before, or has expired. */
export function NewPasswordView({ canSet }: { canSet: boolean }) {
  const [newPassword, send] = NewPassword.use();

  const submit = submitting((text) =>
    send({ type: "password.submit", password: text("password"), confirmation: text("confirmation") }),
  );

  if (newPassword.matches("saved"))
    return (
      <AuthLayout title={t`New password`}>
        <Stack gap={4}>
          <Banner tone="good">{t`Your new password is saved.`}</Banner>
          <Link href="/">{t`Go on`}</Link>
        </Stack>
      </AuthLayout>
    );
  if (!canSet)
    return (
      <AuthLayout title={t`New password`}>
        <Stack gap={4}>
          <Banner tone="bad">{t`This link has expired or was already used.`}</Banner>
          <Link href="/forgot-password">{t`Send a new link`}</Link>
        </Stack>
      </AuthLayout>
    );
  return (
    <AuthLayout title={t`New password`} intro={t`You are signed in by the link. Choose a new password.`}>
      <Stack as="form" gap={4} onSubmit={submit}>
        <TextField label={t`New password`} name="password" type="password" autoComplete="new-password" required />
        <TextField
          label={t`Confirm new password`}
          name="confirmation"
          type="password"
          autoComplete="new-password"
          required
        />
        <FormProblem>{newPassword.context.problem}</FormProblem>
        <Button type="submit" variant="primary" isPending={newPassword.hasTag("busy")}>
          {t`Save password`}
        </Button>
      </Stack>
    </AuthLayout>
  );
}
