import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Login } from "../../src/machines/login/login.machine.ts";
import { LoginView } from "../../src/views/login/LoginView.tsx";
import { loginMachine, loginModel } from "../machines/login.model.ts";
import { send } from "../support/gestures.ts";
import { over, walkEveryView } from "../support/walk-view.tsx";

const button = () => screen.queryByRole("button", { name: "Login" });

walkEveryView({
  machine: loginMachine,
  model: loginModel,
  show: over(Login, loginModel, <LoginView />),
  gestures: { "credentials.submit": send(button, ({ email, password }) => ({ Email: email, Password: password })) },
  see(state) {
    const isBusy = state.matches("signingIn") || state.matches("signedIn");
    expect(button()?.getAttribute("aria-busy")).toEqual(isBusy ? "true" : null);
    expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(isBusy ? "" : state.context.problem);
  },
});

describe("the login screen", () => {
  it("links to the sign-up and the password reset", () => {
    render(
      <Login.Provider logic={loginMachine}>
        <LoginView />
      </Login.Provider>,
    );
    expect(screen.getByRole("link", { name: "Sign up" }).getAttribute("href")).toEqual("/signup");
    expect(screen.getByRole("link", { name: "Forgot your password?" }).getAttribute("href")).toEqual(
      "/forgot-password",
    );
    expect(screen.getByLabelText<HTMLInputElement>("Password").type).toEqual("password");
  });

  it("says why the link that opened it does not work", () => {
    render(
      <Login.Provider logic={loginMachine}>
        <LoginView linkProblem="Email link is invalid or has expired" />
      </Login.Provider>,
    );
    expect(screen.getByRole("alert").textContent).toEqual("Email link is invalid or has expired");
  });
});
