import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Link } from "wouter";
import { Login } from "../../machines/login/login.machine.ts";
import type { UiTextOrString } from "#language";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { FormProblem, submitting } from "../../ui/form.tsx";
import type { TextDraft } from "../../machines/kit/page.ts";
import { TextField } from "../../ui/Field.tsx";
import { AuthLayout } from "../shell/AuthLayout.tsx";
import { Row, Stack } from "../../ui/layout.tsx";

export type LoginViewProps = {
  /** Why the link that opened this page does not work. */
  linkProblem?: UiTextOrString | null;
  /** Whether an account was just created that needs no email confirmation. */
  isConfirmed?: boolean;
  /** Called when the user starts to fill in the form. */
  onIntent?: () => void;
  /** The draft of the email; the password is never stored. */
  emailDraft?: TextDraft;
};

export function LoginView({ linkProblem = null, isConfirmed = false, onIntent, emailDraft }: LoginViewProps) {
  const [login, send] = Login.use();
  // After a success the button stays busy until the screen changes.
  const isSigningIn = login.hasTag("busy") || login.matches("signedIn");
  const { problem } = login.context;
  const canSubmit = login.can({ type: "credentials.submit", email: "", password: "" });
  const [typedBefore] = useState(() => emailDraft?.read()?.text);

  const submit = submitting((text) =>
    send({ type: "credentials.submit", email: text("email").trim(), password: text("password") }),
  );

  return (
    <AuthLayout title={t`Log in`} intro={t`Pick up your conversations where you left them.`}>
      <Stack as="form" gap={4} onSubmit={submit} noValidate>
        {linkProblem !== null && <Banner tone="bad">{linkProblem}</Banner>}
        {isConfirmed && <Banner tone="good">{t`You can log in now.`}</Banner>}
        <TextField
          label={t`Email`}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={typedBefore}
          onChange={(event) => emailDraft?.write({ text: event.target.value }, { text: "" })}
          onFocus={onIntent}
        />
        <TextField label={t`Password`} name="password" type="password" autoComplete="current-password" />
        <FormProblem>{problem}</FormProblem>
        <Button type="submit" variant="primary" isPending={isSigningIn} isAriaDisabled={!canSubmit}>
          {t`Login`}
        </Button>
      </Stack>
      <Row wraps justify="between" gap={[2, 4]} tone="muted">
        <span>
          <Trans>
            New here? <Link href="/signup">Sign up</Link>
          </Trans>
        </span>
        <Link href="/forgot-password">{t`Forgot your password?`}</Link>
      </Row>
    </AuthLayout>
  );
}
