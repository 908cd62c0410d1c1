import { Trans, useLingui } from "@lingui/react/macro";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { Signup } from "../../machines/signup/signup.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { type KeptText, UNKEPT } from "../../ui/kept-text.ts";
import { TextField } from "../../ui/TextField.tsx";
import { formText } from "../../ui/form-text.ts";
import { AuthLayout } from "../shell/AuthLayout.tsx";
import { Row, Stack } from "../../ui/layout.tsx";

export type SignupViewProps = {
  /** Name and e-mail as typed; a password is never kept. */
  kept?: { name: KeptText; email: KeptText };
};

const NOTHING_KEPT = { name: UNKEPT, email: UNKEPT };

export function SignupView({ kept = NOTHING_KEPT }: SignupViewProps) {
  const { t } = useLingui();
  const [signup, send] = Signup.use();
  const [typedBefore] = useState(() => ({ name: kept.name.read(""), email: kept.email.read("") }));

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = formText(event.currentTarget);
    send({
      type: "details.submit",
      name: text("name").trim(),
      email: text("email").trim(),
      password: text("password"),
      confirmation: text("confirmation"),
    });
  };

  return (
    <AuthLayout title={t`Sign Up`} intro={t`Your first lead can be here in five minutes.`}>
      <Stack as="form" gap={4} onSubmit={submit}>
        <TextField
          label={t`Full Name`}
          name="name"
          autoComplete="name"
          required
          defaultValue={typedBefore.name}
          onChange={(event) => kept.name.keep(event.target.value, "")}
        />
        <TextField
          label={t`Email`}
          name="email"
          type="email"
          autoComplete="email"
          required
          defaultValue={typedBefore.email}
          onChange={(event) => kept.email.keep(event.target.value, "")}
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
