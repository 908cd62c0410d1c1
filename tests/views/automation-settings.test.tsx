import { fireEvent, screen } from "@testing-library/react";
import { expect } from "vitest";
import { type AnyEventObject, type AnyMachineSnapshot, fromCallback } from "xstate";
import { AutomationSettingsProvider, automationSettingsMachine } from "../../src/machines/automation-settings/index.ts";
import { AutomationForm } from "../../src/views/followups/AutomationForm.tsx";
import { automationSettingsModel } from "../machines/automation-settings.model.ts";
import { press } from "../support/gestures.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const toggle = () => screen.getByRole<HTMLInputElement>("switch", { name: "Automatic follow-ups" });
const start = () => screen.getByRole<HTMLInputElement>("spinbutton", { name: "Start hour" });

let tell: (event: AnyEventObject) => void = () => {};

const see = (state: AnyMachineSnapshot) => {
  const { form, isConflict } = state.context;
  const isSaving = state.matches("saving") || state.matches("merging");
  const isKnown = state.matches("editable") || isSaving;
  expect(screen.queryByText("The automation settings could not be read.") !== null).toEqual(state.matches("unread"));
  expect(screen.queryByRole("switch") !== null).toEqual(isKnown);
  if (!isKnown) return;
  const { problem } = state.context;
  expect(screen.queryByText(problem ?? "nothing") !== null).toEqual(problem !== null);
  expect(toggle().checked).toEqual(form.isEnabled);
  expect(toggle().disabled).toEqual(!state.matches("editable"));
  expect([start().value, start().min, start().max]).toEqual([form.startHour, "0", "23"]);
  expect(screen.getByRole<HTMLInputElement>("spinbutton", { name: "End hour" }).value).toEqual(form.endHour);
  expect(screen.queryByText("An hour from 0 to 23.") !== null).toEqual(form.startHour === "24");
  const save = screen.getByRole("button", { name: "Save Settings" });
  expect(save.getAttribute("aria-busy")).toEqual(isSaving ? "true" : null);
  expect(save.hasAttribute("disabled")).toEqual(!isSaving && (form.startHour === "24" || isConflict));
};

walkEveryView({
  machine: automationSettingsMachine,
  model: {
    ...automationSettingsModel,
    allow: (state, event) =>
      (event.type !== "settings.change" ||
        Object.entries(event["change"]).some(([field, value]) => state.context.form[field] !== value)) &&
      (automationSettingsModel.allow?.(state, event) ?? true),
  },
  show: ({ service }, options) => {
    const logic = automationSettingsMachine.provide({
      actors: {
        fetchSettings: service(),
        saveSettings: service(),
        watchReturns: fromCallback<AnyEventObject>(({ sendBack }) => {
          tell = sendBack;
        }),
      },
    });
    return (
      <AutomationSettingsProvider logic={logic} options={options}>
        <AutomationForm />
      </AutomationSettingsProvider>
    );
  },
  gestures: {
    "settings.choose": press(({ version }) =>
      screen.queryByRole("button", { name: version === "mine" ? "Keep mine" : "Use saved version" }),
    ),
    "settings.change": {
      control: ({ change }) =>
        change.startHour === undefined
          ? screen.queryByRole("switch", { name: "Automatic follow-ups" })
          : screen.queryByRole("spinbutton", { name: "Start hour" }),
      act: (control, { change }) =>
        change.startHour === undefined
          ? fireEvent.click(control)
          : fireEvent.change(control, { target: { value: change.startHour } }),
    },
    "reading.refresh": (event) => tell(event),
    "reading.retry": press(() => screen.queryByRole("button", { name: "Try again" })),
    "settings.save": press(() => screen.queryByRole("button", { name: "Save Settings" })),
  },
  see,
});
