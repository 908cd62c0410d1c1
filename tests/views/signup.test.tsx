import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect } from "vitest";
import { type AnyMachineSnapshot, type AnyEventObject, createActor } from "xstate";
import { SignupProvider, signupMachine } from "../../src/machines/signup/index.ts";
import { SignupView } from "../../src/views/signup/SignupView.tsx";
import { signupModel } from "../machines/signup.model.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const button = () => screen.getByRole("button", { name: "Create Account" });

const seeForm = (state: AnyMachineSnapshot) => {
  expect(button().getAttribute("aria-busy")).toEqual(state.hasTag("busy") ? "true" : null);
  expect(screen.getByRole("alert").textContent).toEqual(state.context.problem ?? "");
  for (const label of ["Full Name", "Email", "Password", "Confirm Password"])
    expect(screen.getByLabelText<HTMLInputElement>(label).required).toEqual(true);
};

walkEveryView({
  machine: signupMachine,
  model: signupModel,
  show: (services, options) => (
    <SignupProvider value={createActor(signupModel.provide(services), options).start() as never}>
      <SignupView />
    </SignupProvider>
  ),
  gestures: {
    "details.submit": async (event: AnyEventObject) => {
      const user = userEvent.setup();
      const fill = async (label: string, value: string) => {
        await user.clear(screen.getByLabelText(label));
        await user.type(screen.getByLabelText(label), value);
      };
      await fill("Full Name", event["name"]);
      await fill("Email", event["email"]);
      await fill("Password", event["password"]);
      await fill("Confirm Password", event["confirmation"]);
      await user.click(button());
    },
  },
  see: seeForm,
});
