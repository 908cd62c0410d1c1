import type { FormEvent } from "react";
import { Link } from "wouter";
import { selectIsSigningIn, useLogin, useLoginEvents } from "../../machines/login/index.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { formText } from "../../ui/form-text.ts";
import { AuthLayout } from "../shell/AuthLayout.tsx";
import css from "../shell/AuthForm.module.css";

/** `onIntent` is told when someone begins to fill the form in. */
export function LoginView({ onIntent }: { onIntent?: () => void }) {
  const isSigningIn = useLogin(selectIsSigningIn);
  const { submitCredentials } = useLoginEvents();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = formText(event.currentTarget);
    submitCredentials({ email: text("email").trim(), password: text("password") });
  };

  return (
    <AuthLayout title="Log in" intro="Pick up your conversations where you left them.">
      <form className={css["form"]} onSubmit={submit} noValidate>
        <TextField label="Email" name="email" type="email" autoComplete="username" onFocus={onIntent} />
        <TextField label="Password" name="password" type="password" autoComplete="current-password" />
        <Button type="submit" variant="primary" isPending={isSigningIn}>
          Login
        </Button>
      </form>
      <div className={css["links"]}>
        <span>
          New here? <Link href="/signup">Sign up</Link>
        </span>
        <Link href="/forgot-password">Forgot your password?</Link>
      </div>
    </AuthLayout>
  );
}
