import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Link } from "wouter";
import { Signup } from "../../machines/signup/signup.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { FormProblem, submitting } from "../../ui/form.tsx";
import type { TextDraft } from "../../machines/kit/page.ts";
import { TextField } from "../../ui/Field.tsx";
import { AuthLayout } from "../shell/AuthLayout.tsx";
import { Row, Stack } from "../../ui/layout.tsx";

export type SignupViewProps = {
  /** The drafts of name and email; a password is never stored. */
  drafts?: { name: TextDraft; email: TextDraft };
};

export function SignupView({ drafts }: SignupViewProps) {
  const [signup, send] = Signup.use();
  const [typedBefore] = useState(() => ({ name: drafts?.name.read()?.text, email: drafts?.email.read()?.text }));

  const submit = submitting((text) =>
    send({
      type: "details.submit",
      name: text("name").trim(),
      email: text("email").trim(),
      password: text("password"),
      confirmation: text("confirmation"),
    }),
  );

  return (
    <AuthLayout title={t`Sign Up`} intro={t`Your first lead can be here in five minutes.`}>
      <Stack as="form" gap={4} onSubmit={submit}>
        <TextField
          label={t`Full Name`}
          name="name"
          dir="auto"
          autoComplete="name"
          required
          defaultValue={typedBefore.name}
          onChange={(event) => drafts?.name.write({ text: event.target.value }, { text: "" })}
        />
        <TextField
          label={t`Email`}
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={typedBefore.email}
          onChange={(event) => drafts?.email.write({ text: event.target.value }, { text: "" })}
        />
        <TextField label={t`Password`} name="password" type="password" autoComplete="new-password" required />
        <TextField
          label={t`Confirm Password`}
          name="confirmation"
          type="password"
          autoComplete="new-password"
          required
        />
        <FormProblem>{signup.context.problem}</FormProblem>
        <Button type="submit" variant="primary" isPending={signup.hasTag("busy")}>
          {t`Create Account`}
        </Button>
      </Stack>
      <Row wraps justify="between" gap={[2, 4]} tone="muted">
        <span>
          <Trans>
            Already have an account? <Link href="/login">Log in</Link>
          </Trans>
        </span>
      </Row>
    </AuthLayout>
  );
}
