import { i18n } from "@lingui/core";
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, onTestFinished } from "vitest";
import { SettingsChart } from "../../src/machines/settings/settings.machine.ts";
import { HoursAndPeopleCard } from "../../src/views/settings/HoursAndPeopleCard.tsx";
import { settingsModel, settingsOf } from "../machines/settings.model.ts";
import { button, over, press, seen, submit } from "../support/screen.ts";
import { pendingServices } from "../support/walk-machine.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const words = () => screen.queryByLabelText<HTMLTextAreaElement>("Opt-out words");

const card = <HoursAndPeopleCard now={() => Date.parse("2026-03-05T12:00:00Z")} />;

describe("the settings", () => {
  walkEveryView({
    model: settingsModel,
    show: over(SettingsChart, card),
    gestures: {
      "settings.change": {
        control: words,
        act: (control, { change }) => fireEvent.change(control, { target: { value: change.optOutWords } }),
      },
      "settings.choose": press(({ version }) => button(version === "mine" ? "Keep mine" : "Use saved version")),
      "settings.save": submit("Save Settings"),
    },
    see(state) {
      const { form, problem, refused } = state.context;
      const isKnown = state.matches("editable") || state.matches("saving") || state.matches("merging");
      expect(words()?.value ?? null).toEqual(isKnown ? form.optOutWords : null);
      expect(seen("The settings could not be read.")).toEqual(state.matches("loadFailed"));
      expect(seen(problem)).toEqual(problem !== null);
      expect(seen("Choose other words.")).toEqual(refused.optOutWords !== undefined && form.optOutWords.length < 60);
      expect(seen("A word may have 64 characters at most.")).toEqual(form.optOutWords.length > 64);
      expect(seen(/could not be read again/)).toEqual(state.matches({ editable: "outdated" }));
    },
  });

  async function known(settings = settingsOf()) {
    const services = pendingServices();
    render(<SettingsChart.Provider logic={settingsModel.provide(services)}>{card}</SettingsChart.Provider>);
    await act(async () => services.settle("fetchSettings").resolve(settings));
    return screen.getByRole<HTMLSelectElement>("combobox", { name: "Time zone" });
  }

  it("chooses a time zone by its place, and switches days one by one", async () => {
    const zone = await known();
    expect(zone.value).toEqual("UTC");
    const user = userEvent.setup();
    const america = within(zone).getByRole("group", { name: "America" });
    await user.selectOptions(zone, within(america).getByRole("option", { name: "New York" }));
    expect(zone.value).toEqual("America/New_York");
    expect(seen(/It was 07:00 there/)).toBe(true);
    await user.click(screen.getByRole("checkbox", { name: "Saturday" }));
    const checked = screen.getAllByRole<HTMLInputElement>("checkbox").map((day) => day.checked);
    expect([checked, seen("Not saved yet.")]).toEqual([[...Array(6).fill(true), false], true]);
    for (const name of ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"])
      await user.click(screen.getByRole("checkbox", { name }));
    expect(seen("Choose at least one day.")).toBe(true);
    expect(button("Save Settings")).toHaveProperty("disabled", true);
  });

  it("writes the zone's time in the language that the page switches to", async () => {
    await known(settingsOf({ time_zone: "America/New_York" }));
    i18n.load("id", {});
    act(() => i18n.activate("id"));
    onTestFinished(() => act(() => i18n.activate("en")));
    fireEvent.click(screen.getByRole("checkbox", { name: "Saturday" }));
    expect(seen(/07\.00/)).toBe(true);
  });

  it("can choose the initial time zone again when the browser renamed it", async () => {
    const zone = await known(settingsOf({ time_zone: "Europe/Lutetia" }));
    expect(zone.value).toEqual("Europe/Lutetia");
    const places = () => within(zone).getAllByRole("option").length;
    const before = places();
    fireEvent.change(zone, { target: { value: "Europe/Paris" } });
    expect([zone.value, places()]).toEqual(["Europe/Paris", before]);
    fireEvent.change(zone, { target: { value: "Europe/Lutetia" } });
    expect(zone.value).toEqual("Europe/Lutetia");
  });
});
