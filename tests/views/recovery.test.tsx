import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { NewPassword } from "../../src/machines/new-password/new-password.machine.ts";
import { PasswordLink } from "../../src/machines/password-link/password-link.machine.ts";
import { ForgotPasswordView } from "../../src/views/recovery/ForgotPasswordView.tsx";
import { NewPasswordView } from "../../src/views/recovery/NewPasswordView.tsx";
import { newPasswordModel } from "../machines/new-password.model.ts";
import { passwordLinkModel } from "../machines/password-link.model.ts";
import { button, over, press, seen, send } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

describe("a forgotten password", () => {
  walkEveryView({
    model: passwordLinkModel,
    show: over(PasswordLink, <ForgotPasswordView />),
    gestures: {
      "email.submit": send("Send link", ({ email }) => ({ Email: email })),
      "email.change": press("Use another email"),
    },
    see(state) {
      const isSent = state.matches("sent");
      expect(screen.queryByRole("status")?.textContent ?? null).toEqual(
        isSent ? "If ada@example.com has an account, a link is on its way. It works once." : null,
      );
      const send = button("Send link");
      expect(send?.getAttribute("aria-busy") ?? null).toEqual(state.matches("sending") ? "true" : null);
      expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(isSent ? "" : (state.context.problem ?? ""));
    },
  });
});

describe("a new password", () => {
  walkEveryView({
    model: newPasswordModel,
    show: over(NewPassword, <NewPasswordView canSet />),
    gestures: {
      "password.submit": send("Save password", ({ password, confirmation }) => ({
        "New password": password,
        "Confirm new password": confirmation,
      })),
    },
    see(state) {
      expect(seen("Your new password is saved.")).toEqual(state.matches("saved"));
      expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(state.context.problem ?? "");
    },
  });

  it("cannot be set with an expired link, and offers a new one", () => {
    render(over(NewPassword, <NewPasswordView canSet={false} />)(newPasswordModel.machine));
    expect(screen.getByRole("alert").textContent).toEqual("This link has expired or was already used.");
    expect(screen.getByRole("link", { name: "Send a new link" }).getAttribute("href")).toEqual("/forgot-password");
  });
});
