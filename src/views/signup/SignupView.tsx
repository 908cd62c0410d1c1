import type { FormEvent } from "react";
import { Link } from "wouter";
import { selectIsSigningUp, selectProblem, useSignup, useSignupEvents } from "../../machines/signup/index.ts";
import { Button } from "../../ui/Button.tsx";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { TextField } from "../../ui/TextField.tsx";
import { formText } from "../../ui/form-text.ts";
import { AuthLayout } from "../shell/AuthLayout.tsx";
import css from "../shell/AuthForm.module.css";

export function SignupView() {
  const isSigningUp = useSignup(selectIsSigningUp);
  const problem = useSignup(selectProblem);
  const { submitDetails } = useSignupEvents();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = formText(event.currentTarget);
    submitDetails({
      name: text("name").trim(),
      email: text("email").trim(),
      password: text("password"),
      confirmation: text("confirmation"),
    });
  };

  return (
    <AuthLayout title="Sign Up" intro="Your first lead can be here in five minutes.">
      <form className={css["form"]} onSubmit={submit}>
        <TextField label="Full Name" name="name" autoComplete="name" required />
        <TextField label="Email" name="email" type="email" autoComplete="email" required />
        <TextField label="Password" name="password" type="password" autoComplete="new-password" required />
        <TextField label="Confirm Password" name="confirmation" type="password" autoComplete="new-password" required />
        <FormProblem>{problem}</FormProblem>
        <Button type="submit" variant="primary" isPending={isSigningUp}>
          Create Account
        </Button>
      </form>
      <div className={css["links"]}>
        <span>
          Already have an account? <Link href="/login">Log in</Link>
        </span>
      </div>
    </AuthLayout>
  );
}
