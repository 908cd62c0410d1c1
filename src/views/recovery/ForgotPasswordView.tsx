import type { FormEvent } from "react";
import { Link } from "wouter";
import {
  selectIsSending,
  selectProblem,
  selectSentTo,
  usePasswordLink,
  usePasswordLinkEvents,
} from "../../machines/password-link/index.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { formText } from "../../ui/form-text.ts";
import css from "../shell/AuthForm.module.css";
import { AuthLayout } from "../shell/AuthLayout.tsx";

export function ForgotPasswordView() {
  const isSending = usePasswordLink(selectIsSending);
  const problem = usePasswordLink(selectProblem);
  const sentTo = usePasswordLink(selectSentTo);
  const { submitEmail, changeEmail } = usePasswordLinkEvents();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    submitEmail(formText(event.currentTarget)("email").trim());
  };

  return (
    <AuthLayout title="Forgot your password?" intro="We send you a link that lets you set a new one.">
      {sentTo === null ? (
        <form className={css["form"]} onSubmit={submit}>
          <TextField label="Email" name="email" type="email" autoComplete="username" required />
          <FormProblem>{problem}</FormProblem>
          <Button type="submit" variant="primary" isPending={isSending}>
            Send link
          </Button>
        </form>
      ) : (
        <div className={css["form"]}>
          <Banner tone="good">If {sentTo} has an account, a link is on its way. It works once.</Banner>
          <Button onClick={changeEmail}>Use another email</Button>
        </div>
      )}
      <div className={css["links"]}>
        <Link href="/login">Back to log in</Link>
      </div>
    </AuthLayout>
  );
}
