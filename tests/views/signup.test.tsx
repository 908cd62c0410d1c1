import { screen } from "@testing-library/react";
import { expect } from "vitest";
import { type AnyMachineSnapshot, createActor } from "xstate";
import { Signup } from "../../src/machines/signup/signup.machine.ts";
import { SignupView } from "../../src/views/signup/SignupView.tsx";
import { signupMachine, signupModel } from "../machines/signup.model.ts";
import { send } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = () => screen.getByRole("button", { name: "Create Account" });

const seeForm = (state: AnyMachineSnapshot) => {
  expect(button().getAttribute("aria-busy")).toEqual(state.hasTag("busy") ? "true" : null);
  expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(state.context.problem ?? "");
  for (const label of ["Full Name", "Email", "Password", "Confirm Password"])
    expect(screen.getByLabelText<HTMLInputElement>(label).required).toEqual(true);
};

walkEveryView({
  machine: signupMachine,
  model: signupModel,
  show: (services, options) => (
    <Signup.ActorProvider value={createActor(signupModel.provide(services), options).start() as never}>
      <SignupView />
    </Signup.ActorProvider>
  ),
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
  see: seeForm,
});
