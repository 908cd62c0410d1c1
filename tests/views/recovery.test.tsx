import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { AnyMachineSnapshot } from "xstate";
import { NewPassword } from "../../src/machines/new-password/new-password.machine.ts";
import { PasswordLink } from "../../src/machines/password-link/password-link.machine.ts";
import { ForgotPasswordView } from "../../src/views/recovery/ForgotPasswordView.tsx";
import { NewPasswordView } from "../../src/views/recovery/NewPasswordView.tsx";
import { newPasswordMachine, newPasswordModel } from "../machines/new-password.model.ts";
import { passwordLinkMachine, passwordLinkModel } from "../machines/password-link.model.ts";
import { press, send } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const seeLink = (state: AnyMachineSnapshot) => {
  const isSent = state.matches("sent");
  expect(screen.queryByRole("status")?.textContent ?? null).toEqual(
    isSent ? "If ada@example.com has an account, a link is on its way. It works once." : null,
  );
  const send = screen.queryByRole("button", { name: "Send link" });
  expect(send?.getAttribute("aria-busy") ?? null).toEqual(state.matches("sending") ? "true" : null);
  expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(isSent ? "" : (state.context.problem ?? ""));
};

const seePassword = (state: AnyMachineSnapshot) => {
  expect(screen.queryByText("Your new password is saved.") !== null).toEqual(state.matches("saved"));
  expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(state.context.problem ?? "");
};

describe("a forgotten password", () => {
  walkEveryView({
    machine: passwordLinkMachine,
    model: passwordLinkModel,
    show: (services, options) => (
      <PasswordLink.Provider logic={passwordLinkModel.provide(services) as never} options={options}>
        <ForgotPasswordView />
      </PasswordLink.Provider>
    ),
    gestures: {
      "email.submit": send(
        () => screen.queryByRole("button", { name: "Send link" }),
        ({ email }) => ({ Email: email }),
      ),
      "email.change": press(() => screen.queryByRole("button", { name: "Use another email" })),
    },
    see: seeLink,
  });
});

describe("a new password", () => {
  walkEveryView({
    machine: newPasswordMachine,
    model: newPasswordModel,
    show: (services, options) => (
      <NewPassword.Provider logic={newPasswordModel.provide(services) as never} options={options}>
        <NewPasswordView canSet />
      </NewPassword.Provider>
    ),
    gestures: {
      "password.submit": send(
        () => screen.queryByRole("button", { name: "Save password" }),
        ({ password, confirmation }) => ({ "New password": password, "Confirm new password": confirmation }),
      ),
    },
    see: seePassword,
  });

  it("cannot be set by someone whose link has expired, who is offered a new one", () => {
    render(
      <NewPassword.Provider logic={newPasswordMachine}>
        <NewPasswordView canSet={false} />
      </NewPassword.Provider>,
    );
    expect(screen.getByRole("alert").textContent).toEqual("This link has expired or was already used.");
    expect(screen.getByRole("link", { name: "Send a new link" }).getAttribute("href")).toEqual("/forgot-password");
  });
});
