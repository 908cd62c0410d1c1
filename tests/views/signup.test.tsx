import { screen } from "@testing-library/react";
import { expect } from "vitest";
import { Signup } from "../../src/machines/signup/signup.machine.ts";
import { SignupView } from "../../src/views/signup/SignupView.tsx";
import { signupModel } from "../machines/signup.model.ts";
import { over, send } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = () => screen.getByRole("button", { name: "Create Account" });

walkEveryView({
  model: signupModel,
  show: over(Signup, <SignupView />),
  gestures: {
    "details.submit": send(
      () => screen.queryByRole("button", { name: "Create Account" }),
      ({ name, email, password, confirmation }) => ({
        "Full Name": name,
        Email: email,
        Password: password,
        "Confirm Password": confirmation,
      }),
    ),
  },
  see(state) {
    expect(button().getAttribute("aria-busy")).toEqual(state.hasTag("busy") ? "true" : null);
    expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(state.context.problem ?? "");
    for (const label of ["Full Name", "Email", "Password", "Confirm Password"])
      expect(screen.getByLabelText<HTMLInputElement>(label).required).toEqual(true);
  },
});
