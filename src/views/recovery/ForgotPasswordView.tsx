import { t } from "@lingui/core/macro";
import { Link } from "wouter";
import { PasswordLink } from "../../machines/password-link/password-link.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { FormProblem, submitting } from "../../ui/form.tsx";
import { TextField } from "../../ui/Field.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { AuthLayout } from "../shell/AuthLayout.tsx";

export function ForgotPasswordView() {
  const [link, send] = PasswordLink.use();
  const { email, problem } = link.context;

  const submit = submitting((text) => send({ type: "email.submit", email: text("email").trim() }));

  return (
    <AuthLayout title={t`Forgot your password?`} intro={t`We send you a link that lets you set a new one.`}>
      {!link.matches("sent") ? (
        <Stack as="form" gap={4} onSubmit={submit}>
          <TextField label={t`Email`} name="email" type="email" autoComplete="username" required />
          <FormProblem>{problem}</FormProblem>
          <Button type="submit" variant="primary" isPending={link.hasTag("busy")}>
            {t`Send link`}
          </Button>
        </Stack>
      ) : (
        <Stack gap={4}>
          <Banner tone="good">{t`If ${email} has an account, a link is on its way. It works once.`}</Banner>
          <Button onClick={() => send({ type: "email.change" })}>{t`Use another email`}</Button>
        </Stack>
      )}
      <Row wraps justify="between" gap={[2, 4]} tone="muted">
        <Link href="/login">{t`Back to log in`}</Link>
      </Row>
    </AuthLayout>
  );
}
