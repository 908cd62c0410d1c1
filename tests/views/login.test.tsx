import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Login } from "../../src/machines/login/login.machine.ts";
import { LoginView } from "../../src/views/login/LoginView.tsx";
import { loginModel } from "../machines/login.model.ts";
import { over, send } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = () => screen.queryByRole("button", { name: "Login" });

walkEveryView({
  model: loginModel,
  show: over(Login, <LoginView />),
  gestures: { "credentials.submit": send(button, ({ email, password }) => ({ Email: email, Password: password })) },
  see(state) {
    const isBusy = state.matches("signingIn") || state.matches("signedIn");
    expect(button()?.getAttribute("aria-busy")).toEqual(isBusy ? "true" : null);
    expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(isBusy ? "" : state.context.problem);
  },
});

describe("the login screen", () => {
  it("links to the sign-up and the password reset", () => {
    render(over(Login, <LoginView />)(loginModel.machine));
    expect(screen.getByRole("link", { name: "Sign up" }).getAttribute("href")).toEqual("/signup");
    expect(screen.getByRole("link", { name: "Forgot your password?" }).getAttribute("href")).toEqual(
      "/forgot-password",
    );
    expect(screen.getByLabelText<HTMLInputElement>("Password").type).toEqual("password");
  });

  it("says why the link that opened it does not work", () => {
    render(over(Login, <LoginView linkProblem="Email link is invalid or has expired" />)(loginModel.machine));
    expect(screen.getByRole("alert").textContent).toEqual("Email link is invalid or has expired");
  });
});
