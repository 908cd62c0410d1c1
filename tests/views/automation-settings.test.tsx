import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { AutomationSettings } from "../../src/machines/automation-settings/automation-settings.machine.ts";
import { AutomationForm } from "../../src/views/followups/AutomationForm.tsx";
import { automationSettingsModel } from "../machines/automation-settings.model.ts";
import { over, press, seen } from "../support/screen.ts";
import { loadingSchedule } from "../support/followups.ts";
import { answering } from "../support/model.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const toggle = () => screen.getByRole<HTMLInputElement>("switch", { name: "Automatic follow-ups" });
const start = () => screen.getByRole<HTMLInputElement>("spinbutton", { name: "Start hour" });

walkEveryView({
  model: automationSettingsModel,
  show: over(AutomationSettings, <AutomationForm schedule={loadingSchedule} />),
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
    "settings.save": press("Save Settings"),
  },
  see(state) {
    const { form, isConflict } = state.context;
    const isSaving = state.matches("saving") || state.matches("merging");
    const isKnown = state.matches("editable") || isSaving;
    expect(seen("The automation settings could not be read.")).toEqual(state.matches("loadFailed"));
    expect(screen.queryByRole("switch") !== null).toEqual(isKnown);
    if (!isKnown) return;
    const { problem } = state.context;
    expect(seen(problem)).toEqual(problem !== null);
    expect(toggle().checked).toEqual(form.isEnabled);
    expect(toggle().disabled).toEqual(!state.matches("editable"));
    expect([start().value, start().min, start().max]).toEqual([form.startHour, "0", "23"]);
    expect(screen.getByRole<HTMLInputElement>("spinbutton", { name: "End hour" }).value).toEqual(form.endHour);
    expect(seen("An hour from 0 to 23.")).toEqual(form.startHour === "24");
    const save = screen.getByRole("button", { name: "Save Settings" });
    expect(save.getAttribute("aria-busy")).toEqual(isSaving ? "true" : null);
    expect(save.hasAttribute("disabled")).toEqual(!isSaving && (form.startHour === "24" || isConflict));
  },
});

it("offers the browser's time zone when the hours are in UTC by default", async () => {
  const saved = { auto_followups_enabled: true, auto_followup_start_hour: 9, auto_followup_end_hour: 22 };
  const logic = answering(automationSettingsModel.machine, { fetchSettings: () => saved });
  const show = async (zone: string | null, ownZone: string | null) => {
    cleanup();
    const settings = { ...loadingSchedule.settings, value: { time_zone: zone, weekdays: [] } };
    render(over(AutomationSettings, <AutomationForm schedule={{ settings, ownZone, now: 0 }} />)(logic));
    return (await screen.findByRole("link")).textContent;
  };
  expect(await show(null, "America/New_York")).toEqual("Change to your time zone, America/New York");
  expect(await show("Europe/Berlin", "America/New_York")).toEqual("Change days and time zone");
  expect(await show(null, null)).toEqual("Change days and time zone");
});
