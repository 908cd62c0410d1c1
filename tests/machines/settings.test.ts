import { expect, it, vi } from "vitest";
import { createActor } from "xstate";
import type { SettingsPatch } from "../../domain/settings.ts";
import { createSettings, settingsMachine, withDay } from "../../src/machines/settings/index.ts";
import { hoursHere } from "../../src/machines/automation-settings/index.ts";
import type { Invariants } from "../support/invariants.ts";
import { HttpError } from "../../src/services/http.ts";
import { firstReadingInvariants, shownReadingInvariants } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { refusal, settingsModel, settingsOf } from "./settings.model.ts";

const read = { timeZone: "", weekdays: "12345", optOutWords: "stop" };

const invariants: Invariants<typeof settingsMachine> = {
  ...firstReadingInvariants("", "fetchSettings"),
  editable: {
    after: {
      "done fetchSettings": ({ before, context }) => {
        expect(context.saved).toEqual(read);
        expect(context.form).toEqual({ ...read, optOutWords: context.form.optOutWords });
        if (before.form.optOutWords === before.saved.optOutWords) expect(context.form).toEqual(read);
        if (context.isConflict) expect(context.form).not.toEqual(read);
      },
      "reading.refresh": null,
      "reading.retry": null,
      "error fetchSettings": null,
      "settings.change": ({ event, before, context }) =>
        expect(context).toEqual({
          form: { ...before.form, ...event.change },
          saved: before.saved,
          problem: null,
          refused: {},
          isConflict: before.isConflict,
        }),
      "settings.choose": ({ event, before, context }) => {
        expect([before.isConflict, context.isConflict, context.saved]).toEqual([true, false, before.saved]);
        expect(context.form).toEqual(event.version === "mine" ? before.form : before.saved);
      },
      "done fetchCurrent": ({ context, effects }) => {
        const isSame = context.saved.optOutWords === "stop\nhalt";
        expect([context.form.optOutWords, context.isConflict]).toEqual(["stop\nhalt", !isSame]);
        expect(effects).toEqual(isSame ? { announceSaved: null } : {});
        if (isSame) expect(context.problem).toEqual(null);
      },
      "error fetchCurrent": ({ before, context }) =>
        expect([context.form, context.saved, context.problem]).toEqual([
          before.form,
          before.saved,
          "Not saved: this was changed elsewhere, and the current version could not be read. Try again.",
        ]),
      "done saveSettings": ({ context, effects }) => {
        const saved = { ...read, optOutWords: "stop\nhalt" };
        expect(context).toEqual({ form: saved, saved, problem: null, refused: {}, isConflict: false });
        expect(effects).toEqual({ announceSaved: null });
      },
      "error saveSettings": ({ event, before, context }) =>
        expect(context).toEqual({
          ...before,
          ...(event.error === refusal
            ? { problem: "That cannot be saved.", refused: { optOutWords: "Choose other words." } }
            : {
                problem:
                  "No response from the server. The settings may have been saved. What you typed is kept: try again.",
                refused: {},
              }),
        }),
    },
    // Unchanged settings have nothing to save; a word of 65 characters is too long.
    accepts: ({ form, saved, isConflict }) => [
      "settings.change",
      ...(isConflict ? ["settings.choose"] : []),
      ...(!isConflict && form.optOutWords === "stop\nhalt" && saved.optOutWords !== "stop\nhalt"
        ? ["settings.save"]
        : []),
    ],
  },
  ...shownReadingInvariants("editable.", "fetchSettings", null, {
    starts: ["error saveSettings", "error fetchCurrent"],
    ends: ["done saveSettings", "done fetchCurrent"],
    keeps: ["settings.change", "settings.choose"],
  }),
  merging: {
    after: {
      "error saveSettings": ({ event, effects }) =>
        expect([event.error.body.code, effects]).toEqual([
          "stale",
          { reportFailure: { what: "the settings were changed elsewhere" } },
        ]),
    },
    holds: ({ calls }) => expect(Object.keys(calls)).toEqual(["fetchCurrent"]),
  },
  // Never rests: what was merged is saved or asked about at once.
  merged: { after: [] },
  saving: {
    after: {
      "settings.save": null,
      "done fetchCurrent": ({ context }) => expect(context.isConflict).toEqual(false),
    },
    holds: ({ calls }) => expect(calls).toEqual({ saveSettings: { opt_out_words: ["stop", "halt"] } }),
  },
};

walkEveryPath(settingsMachine, settingsModel, invariants);

function startSettings(save: (patch: SettingsPatch) => Promise<ReturnType<typeof settingsOf>>) {
  const told: string[] = [];
  let answered = settingsOf();
  let comeBack = () => {};
  const logic = createSettings({
    settings: { read: async () => answered, save },
    onReturn: (listener) => ((comeBack = listener), () => {}),
    notifier: { toast: (words) => told.push(words), warn: (words) => told.push(words) },
    logger: { warn: () => {} },
  });
  const chart = createActor(logic).start();
  const editable = () => vi.waitFor(() => expect(chart.getSnapshot().matches({ editable: "current" })).toEqual(true));
  const returns = (settings: ReturnType<typeof settingsOf>) => {
    answered = settings;
    comeBack();
  };
  return { chart, told, editable, returns };
}

it("only what was changed is sent, each field in the shape of the server", async () => {
  const sent: SettingsPatch[] = [];
  const { chart, told, editable } = startSettings(async (patch) => (sent.push(patch), settingsOf(patch as never)));
  await editable();
  chart.send({ type: "settings.change", change: { timeZone: "Europe/Berlin" } });
  chart.send({ type: "settings.change", change: { weekdays: withDay("12345", 6) } });
  chart.send({ type: "settings.save" });
  await editable();
  chart.send({ type: "settings.change", change: { timeZone: "", optOutWords: " stop \n\n halt" } });
  chart.send({ type: "settings.save" });
  await editable();
  chart.send({ type: "settings.save" });
  expect(sent).toEqual([
    { time_zone: "Europe/Berlin", weekdays: [1, 2, 3, 4, 5, 6] },
    { time_zone: null, opt_out_words: ["stop", "halt"] },
  ]);
  expect(told).toEqual(["Settings saved.", "Settings saved."]);
});

it("no day at all, and a word that is too long, are not sent", async () => {
  const { chart, editable } = startSettings(() => Promise.reject(new Error("must not be called")));
  await editable();
  chart.send({ type: "settings.change", change: { weekdays: "" } });
  chart.send({ type: "settings.save" });
  chart.send({ type: "settings.change", change: { weekdays: "1", optOutWords: "x".repeat(65) } });
  chart.send({ type: "settings.save" });
  expect(chart.getSnapshot().matches("editable")).toEqual(true);
});

it("a refusal names its fields and keeps what was typed", async () => {
  const { chart, editable } = startSettings(() => Promise.reject(refusal));
  await editable();
  chart.send({ type: "settings.change", change: { optOutWords: "halt" } });
  chart.send({ type: "settings.save" });
  await editable();
  expect(chart.getSnapshot().context).toEqual({
    form: { timeZone: "", weekdays: "12345", optOutWords: "halt" },
    saved: { timeZone: "", weekdays: "12345", optOutWords: "stop" },
    problem: "That cannot be saved.",
    refused: { optOutWords: "Choose other words." },
    isConflict: false,
  });
});

it.each([
  { version: "mine", words: ["halt"] },
  { version: "saved", words: ["end"] },
] as const)("saves $words where the user chose it of a field changed in two tabs", async ({ version, words }) => {
  let stored = settingsOf();
  let isStale = true;
  const { chart, editable, returns } = startSettings(async (patch) => {
    if (isStale) throw new HttpError(409, { code: "stale", message: "Changed elsewhere.", current: stored });
    return (stored = { ...stored, ...(patch as Partial<typeof stored>) });
  });
  await editable();
  chart.send({ type: "settings.change", change: { optOutWords: "halt" } });
  stored = settingsOf({ time_zone: "Asia/Tokyo", opt_out_words: ["end"] });
  returns(stored);
  await editable();
  expect(chart.getSnapshot().context).toMatchObject({
    form: { timeZone: "Asia/Tokyo", optOutWords: "halt" },
    saved: { optOutWords: "end" },
    isConflict: true,
  });
  chart.send({ type: "settings.save" });
  expect(chart.getSnapshot().matches("saving")).toEqual(false);
  isStale = false;
  chart.send({ type: "settings.choose", version });
  chart.send({ type: "settings.save" });
  await editable();
  expect(stored).toMatchObject({ time_zone: "Asia/Tokyo", opt_out_words: words });
});

it("what another screen saved comes in beside an edit, and never over it", async () => {
  const { chart, editable, returns } = startSettings(() => Promise.reject(new Error("must not be called")));
  await editable();
  chart.send({ type: "settings.change", change: { optOutWords: "halt" } });
  returns(settingsOf({ time_zone: "Asia/Tokyo", opt_out_words: ["end"] }));
  await vi.waitFor(() =>
    expect(chart.getSnapshot().context.form).toEqual({
      timeZone: "Asia/Tokyo",
      weekdays: "12345",
      optOutWords: "halt",
    }),
  );
});

it("allowed hours are told on the person's own clock, in winter and in summer", () => {
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
