import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import {
  type SettingsGateway,
  automationSettingsMachine,
  createAutomationSettings,
  describeWindow,
  selectSettingsProblem,
} from "../../src/machines/automation-settings/index.ts";
import { selectUnread } from "../../src/machines/kit/reading.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { automationSettingsModel } from "./automation-settings.model.ts";
import { HttpError } from "../../src/services/http.ts";

walkEveryPath(automationSettingsMachine, automationSettingsModel);

function startSettings(gateway: Partial<SettingsGateway> = {}) {
  const calls: unknown[] = [];
  let comeBack = () => {};
  const logic = createAutomationSettings({
    settings: {
      read: async () => ({ auto_followups_enabled: true, auto_followup_start_hour: 7, auto_followup_end_hour: 19 }),
      save: async (settings) => void calls.push(settings),
      ...gateway,
    },
    notifier: {
      toast: (message) => void calls.push(`toast: ${message}`),
      warn: (message) => void calls.push(`warning: ${message}`),
    },
    onReturn(listener) {
      comeBack = listener;
      return () => {};
    },
    logger: { warn: (what) => calls.push(`log: ${what}`) },
  });
  const settings = createActor(logic).start();
  const isEditable = () => waitFor(settings, (snapshot) => snapshot.matches("editable"));
  return { settings, calls, isEditable, comeBack: () => comeBack() };
}

describe("automation settings", () => {
  it("are saved as three fields and said to be saved", async () => {
    const { settings, calls, isEditable } = startSettings();
    await isEditable();
    settings.send({ type: "settings.change", change: { isEnabled: false, endHour: "0" } });
    settings.send({ type: "settings.save" });
    await isEditable();
    expect(calls).toEqual([
      { auto_followups_enabled: false, auto_followup_start_hour: 7, auto_followup_end_hour: 0 },
      "toast: Settings saved.",
    ]);
  });

  it("that cannot be read are logged, can be tried again, and are never saved over", async () => {
    let isOffline = true;
    const read = async () => {
      if (isOffline) throw new Error("offline");
      return { auto_followups_enabled: true, auto_followup_start_hour: 7, auto_followup_end_hour: 19 };
    };
    const { settings, calls, isEditable } = startSettings({ read });
    await waitFor(settings, (snapshot) => snapshot.matches("unread"));
    settings.send({ type: "settings.change", change: { isEnabled: true } });
    settings.send({ type: "settings.save" });
    expect(settings.getSnapshot().value).toEqual("unread");
    expect(selectUnread(settings.getSnapshot())).toEqual("the automation settings");
    isOffline = false;
    settings.send({ type: "reading.retry" });
    await isEditable();
    expect(settings.getSnapshot().context.form).toEqual({ isEnabled: true, startHour: "7", endHour: "19" });
    expect(calls).toEqual(["log: the automation settings could not be read"]);
  });

  it("that others saved come in when the page returns, and never under an edit", async () => {
    const answered = { auto_followups_enabled: true, auto_followup_start_hour: 7, auto_followup_end_hour: 19 };
    const { settings, isEditable, comeBack } = startSettings({ read: async () => ({ ...answered }) });
    await isEditable();
    settings.send({ type: "settings.change", change: { startHour: "5" } });
    Object.assign(answered, { auto_followup_start_hour: 1, auto_followup_end_hour: 2 });
    comeBack();
    await waitFor(settings, (snapshot) => snapshot.matches({ editable: "current" }));
    expect(settings.getSnapshot().context.form).toEqual({ isEnabled: true, startHour: "5", endHour: "2" });
  });

  it("are saved to the end when their screen goes meanwhile, and the person is told", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { settings, calls, isEditable } = startSettings({ save: () => promise });
    await isEditable();
    settings.send({ type: "settings.save" });
    settings.stop();
    expect(calls).toEqual([]);
    resolve();
    await promise;
    expect(calls).toEqual(["toast: Settings saved."]);
  });

  it("that cannot be saved are logged alone", async () => {
    const { settings, calls, isEditable } = startSettings({ save: () => Promise.reject(new HttpError(409, null)) });
    await isEditable();
    settings.send({ type: "settings.change", change: { startHour: "8" } });
    settings.send({ type: "settings.save" });
    await isEditable();
    expect(calls).toEqual(["log: the settings were not saved"]);
    expect(selectSettingsProblem(settings.getSnapshot())).toEqual("The settings were not saved.");
  });
});

describe("the window in words", () => {
  it.each([
    ["9", "22", "Messages go out from 09:00 to 21:59, UTC."],
    ["22", "6", "Messages go out from 22:00 to 05:59 the next day, UTC."],
    ["5", "0", "Messages go out from 05:00 to 23:59 the next day, UTC."],
    ["8", "8", "Messages may go out at any hour."],
    ["8", "24", null],
  ])("from %s to %s", (startHour, endHour, words) => {
    expect(describeWindow({ isEnabled: true, startHour, endHour })).toEqual(words);
  });

  it("names no zone where it could not be read whose hours they are", () =>
    expect(describeWindow({ isEnabled: true, startHour: "9", endHour: "22" }, null)).toEqual(
      "Messages go out from 09:00 to 21:59.",
    ));
});
