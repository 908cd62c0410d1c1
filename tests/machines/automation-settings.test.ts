import { describe, expect, it } from "vitest";
import { describeWindow, hoursHere } from "../../src/machines/automation-settings/automation-settings.form.ts";
import { createAutomationSettings } from "../../src/machines/automation-settings/automation-settings.machine.ts";
import type { createAutomationSettingsGateway } from "../../src/services/automation-settings.ts";
import { HttpError } from "../../src/services/http.ts";
import {
  type ContextOf,
  type Visit,
  failsWith,
  refreshableLoadInvariants,
  isCalling,
  refreshableInvariants,
  unchecked,
  walkEveryPath,
} from "../support/invariants.ts";
import { fakePage, openJourney, returnToPage, settle } from "../support/page.ts";
import { automationSettingsModel } from "./automation-settings.model.ts";

type Settings = ContextOf<typeof automationSettingsModel>;
const read = { isEnabled: false, startHour: "8", endHour: "20" };
const edits = ({ context, before, event }: Visit<Settings>) =>
  expect(context).toEqual({ ...before, form: { ...before.form, ...event.change } });

const choice = ({ context, before, event }: Visit<Settings>) => {
  expect([before.isConflict, context.isConflict, context.saved]).toEqual([true, false, before.saved]);
  expect(context.form).toEqual(event.version === "mine" ? before.form : before.saved);
};

walkEveryPath(automationSettingsModel, {
  ...refreshableLoadInvariants("", "fetchSettings"),
  editable: {
    accepts: ({ form, isConflict }) => [
      "settings.change",
      ...(isConflict ? ["settings.choose"] : []),
      ...(form.startHour === "24" || isConflict ? [] : ["settings.save"]),
    ],
  },
  ...refreshableInvariants("editable.", "fetchSettings", null, {
    keeps: ["settings.change", "settings.choose"],
  }),
  "editable.refreshing": {
    accepts: ["reading.refresh"],
    after: {
      ...unchecked("reading.refresh", "reading.retry"),
      "settings.change": edits,
      "settings.choose": choice,
      "error fetchCurrent": ({ context, before }) =>
        expect([context.form, context.saved, context.problem]).toEqual([
          before.form,
          before.saved,
          "Not saved: this was changed elsewhere, and the current version could not be read. Try again.",
        ]),
      "error saveSettings": (visit) => {
        isCalling("fetchSettings")(visit);
        failsWith("The settings may have been saved.")(visit);
      },
    },
  },
  "editable.current": {
    accepts: ["reading.refresh"],
    after: {
      // The user's edits are kept.
      "done fetchSettings": ({ context, before: { form, saved } }) => {
        const isEdited = (field: keyof typeof read) => form[field] !== saved[field];
        expect(context).toMatchObject({
          form: {
            isEnabled: isEdited("isEnabled") ? form.isEnabled : false,
            startHour: isEdited("startHour") ? form.startHour : "8",
          },
          saved: read,
        });
      },
      "settings.change": edits,
      "settings.choose": choice,
      "done fetchCurrent": ({ context, before, effects, event }) => {
        expect(context.saved.startHour).toEqual(String(event.output.auto_followup_start_hour));
        if (context.isConflict) expect(context.form.startHour).toEqual(before.form.startHour);
        else expect([context.form, effects]).toEqual([context.saved, { announceSaved: null }]);
      },
      "done saveSettings": ({ context, before, effects }) => {
        expect(context).toEqual({ ...before, saved: before.form });
        expect(effects).toEqual({ announceSaved: null });
      },
    },
  },
  merging: {
    holds: ({ calls }) => expect(Object.keys(calls)).toEqual(["fetchCurrent"]),
    after: { "error saveSettings": ({ event }) => expect(event.error.body.code).toEqual("stale") },
  },
  // A transient state: a merge is saved at once, or the user is asked.
  merged: { after: [] },
  saving: {
    after: {
      "done fetchCurrent": ({ context }) => expect(context.isConflict).toEqual(false),
      "settings.save": ({ context, before, calls }) => {
        expect(context).toEqual({ ...before, problem: null });
        expect(calls).toEqual({
          saveSettings: {
            auto_followups_enabled: context.form.isEnabled,
            auto_followup_start_hour: Number(context.form.startHour),
            auto_followup_end_hour: 20,
          },
        });
      },
    },
  },
});

describe("automation settings", () => {
  const answer = { auto_followups_enabled: true, auto_followup_start_hour: 7, auto_followup_end_hour: 19 };

  async function startSettings(gateway: Partial<ReturnType<typeof createAutomationSettingsGateway>> = {}) {
    const page = fakePage();
    const settings = { read: async () => answer, save: async () => {}, ...gateway };
    return { ...page, ...(await openJourney(createAutomationSettings(page, { settings }))) };
  }

  it("saved by another tab are merged, and conflicts are put to the user", async () => {
    let [stored, isStale] = [answer, true];
    const { go, context, notices, logged } = await startSettings({
      read: async () => stored,
      save: async (update) => {
        if (isStale) {
          isStale = false;
          throw new HttpError(409, { code: "stale", message: "Changed elsewhere.", current: stored });
        }
        stored = update;
      },
    });
    stored = { ...stored, auto_followups_enabled: false };
    await go({ type: "settings.change", change: { startHour: "5" } }, { type: "settings.save" });
    expect(stored).toEqual({ auto_followups_enabled: false, auto_followup_start_hour: 5, auto_followup_end_hour: 19 });
    expect([notices, logged]).toEqual([["Settings saved."], ["the settings were changed elsewhere"]]);
    isStale = true;
    stored = { ...stored, auto_followup_start_hour: 1 };
    await go({ type: "settings.change", change: { startHour: "6" } }, { type: "settings.save" });
    expect(context()).toMatchObject({ form: { startHour: "6" }, saved: { startHour: "1" }, isConflict: true });
    expect(stored.auto_followup_start_hour).toEqual(1);
    await go({ type: "settings.choose", version: "saved" });
    expect(context()).toMatchObject({ form: { startHour: "1" }, isConflict: false });
  });

  it("keep the user's edit when the page returns, and refresh the other fields", async () => {
    const stored = { ...answer };
    const { go, context } = await startSettings({ read: async () => ({ ...stored }) });
    await go({ type: "settings.change", change: { startHour: "5" } });
    Object.assign(stored, { auto_followup_start_hour: 1, auto_followup_end_hour: 2 });
    await returnToPage();
    expect(context().form).toEqual({ isEnabled: true, startHour: "5", endHour: "2" });
  });

  it("are saved completely when the user leaves the screen", async () => {
    const saving = Promise.withResolvers<void>();
    const { chart, notices } = await startSettings({ save: () => saving.promise });
    chart.send({ type: "settings.save" });
    chart.stop();
    expect(notices).toEqual([]);
    saving.resolve();
    await settle();
    expect(notices).toEqual(["Settings saved."]);
  });
});

describe("the window's description", () => {
  it.each([
    ["9", "22", "UTC", "Messages go out from 09:00 to 21:59, UTC."],
    ["22", "6", "UTC", "Messages go out from 22:00 to 05:59 the next day, UTC."],
    ["5", "0", "UTC", "Messages go out from 05:00 to 23:59 the next day, UTC."],
    ["8", "8", "UTC", "Messages may go out at any hour."],
    ["8", "24", "UTC", null],
    // The time zone failed to load.
    ["9", "22", null, "Messages go out from 09:00 to 21:59."],
  ])("from %s to %s in the zone %s", (startHour, endHour, zone, sentence) => {
    expect(describeWindow({ isEnabled: true, startHour, endHour }, zone)).toEqual(sentence);
  });

  it("shows the hours in the user's own time, in winter and in summer", () => {
    const hours = { isEnabled: true, startHour: "9", endHour: "22" };
    const here = (at: string) => {
      const day = new Date(at);
      return `${String(day.getHours()).padStart(2, "0")}:${String(day.getMinutes()).padStart(2, "0")}`;
    };
    const winter = Date.parse("2026-01-10T12:00:00Z");
    const summer = Date.parse("2026-07-10T12:00:00Z");
    expect(hoursHere(hours, "UTC", winter)).toEqual({
      start: `09:00 UTC, ${here("2026-01-10T09:00:00Z")} your time`,
      end: `22:00 UTC, ${here("2026-01-10T22:00:00Z")} your time`,
    });
    expect(hoursHere(hours, "America/New_York", winter)?.start).toEqual(
      `09:00 America/New York, ${here("2026-01-10T14:00:00Z")} your time`,
    );
    expect(hoursHere(hours, "America/New_York", summer)?.start).toEqual(
      `09:00 America/New York, ${here("2026-07-10T13:00:00Z")} your time`,
    );
    expect(hoursHere({ ...hours, endHour: "24" }, "UTC", winter)).toEqual(null);
    expect(hoursHere(hours, "Nowhere/Land", winter)).toEqual(null);
  });
});
