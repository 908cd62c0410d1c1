import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { type AnyEventObject, SimulatedClock } from "xstate";
import { LoginProvider, loginMachine } from "../../src/machines/login/index.ts";
import { LoginView } from "../../src/views/login/LoginView.tsx";
import { loginModel } from "../machines/login.model.ts";
import { edgePaths, pendingServices, play } from "../support/walk-machine.ts";

const button = () => screen.getByRole("button", { name: "Login" });

describe("the login screen follows every path of the chart", () => {
  it.each(edgePaths(loginMachine, loginModel))("%s", async (_name, steps) => {
    const services = pendingServices();
    const clock = new SimulatedClock();
    const user = userEvent.setup();
    const machine = loginMachine.provide({
      actors: { signIn: services.service("signIn"), showAlert: services.service("showAlert") },
    });
    render(
      <LoginProvider logic={machine} options={{ clock }}>
        <LoginView />
      </LoginProvider>,
    );

    const fillAndSubmit = async (event: AnyEventObject) => {
      await user.clear(screen.getByLabelText("Email"));
      await user.type(screen.getByLabelText("Email"), String(event["email"]));
      await user.clear(screen.getByLabelText("Password"));
      await user.type(screen.getByLabelText("Password"), String(event["password"]));
      await user.click(button());
    };
    for (const { event, state } of steps) {
      await act(() => play(event, { services, clock, delays: {}, user: fillAndSubmit }));
      const isBusy = state.matches("signingIn") || state.matches("signedIn");
      expect(button().getAttribute("aria-busy")).toEqual(isBusy ? "true" : null);
    }
  });
});

describe("the login screen", () => {
  it("offers the way to sign up and out of a forgotten password", () => {
    render(
      <LoginProvider logic={loginMachine}>
        <LoginView />
      </LoginProvider>,
    );
    expect(screen.getByRole("link", { name: "Sign up" }).getAttribute("href")).toEqual("/signup");
    expect(screen.getByRole("link", { name: "Forgot your password?" }).getAttribute("href")).toEqual(
      "/forgot-password",
    );
    expect(screen.getByLabelText<HTMLInputElement>("Password").type).toEqual("password");
  });

  it("says why the link that led to it does not work", () => {
    render(
      <LoginProvider logic={loginMachine}>
        <LoginView linkProblem="Email link is invalid or has expired" />
      </LoginProvider>,
    );
    expect(screen.getByRole("alert").textContent).toEqual("Email link is invalid or has expired");
  });
});
