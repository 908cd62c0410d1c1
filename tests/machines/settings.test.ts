import { expect, it } from "vitest";
import type { SettingsPatch } from "../../domain/settings.ts";
import { type SettingsForm, withDay } from "../../src/machines/settings/settings.form.ts";
import { createSettings } from "../../src/machines/settings/settings.machine.ts";
import { unanswered } from "../support/model.ts";
import { fakePage, openJourney, returnToPage } from "../support/page.ts";
import {
  editsForm,
  refreshableLoadInvariants,
  refreshableInvariants,
  unchecked,
  walkEveryPath,
} from "../support/invariants.ts";
import { refusal, settingsModel, settingsOf } from "./settings.model.ts";

const read = { timeZone: "", weekdays: "12345", optOutWords: "stop" };

walkEveryPath(settingsModel, {
  ...refreshableLoadInvariants("", "fetchSettings"),
  editable: {
    after: {
      ...unchecked("reading.refresh", "reading.retry", "error fetchSettings"),
      "done fetchSettings": ({ before, context }) => {
        expect(context.saved).toEqual(read);
        expect(context.form).toEqual({ ...read, optOutWords: context.form.optOutWords });
        if (before.form.optOutWords === before.saved.optOutWords) expect(context.form).toEqual(read);
        if (context.isConflict) expect(context.form).not.toEqual(read);
      },
      "settings.change": editsForm,
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
                problem: unanswered("The settings may have been saved. What you typed is kept: try again."),
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
  ...refreshableInvariants("editable.", "fetchSettings", null, {
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
  // A transient state: a merge is saved at once, or the user is asked.
  merged: { after: [] },
  saving: {
    after: { "settings.save": null, "done fetchCurrent": ({ context }) => expect(context.isConflict).toEqual(false) },
    holds: ({ calls }) => expect(calls).toEqual({ saveSettings: { opt_out_words: ["stop", "halt"] } }),
  },
});

type Saving = (patch: SettingsPatch) => Promise<ReturnType<typeof settingsOf>>;

async function startSettings(save: Saving) {
  const page = fakePage();
  let answered = settingsOf();
  const logic = createSettings(page, {
    settings: { read: async () => answered, save },
  });
  const journey = await openJourney(logic);
  return {
    ...journey,
    notices: page.notices,
    type: (change: Partial<SettingsForm>) => journey.go({ type: "settings.change", change }),
    save: () => journey.go({ type: "settings.save" }),
    returns: (settings: ReturnType<typeof settingsOf>) => ((answered = settings), returnToPage()),
  };
}

it("sends only the changed fields", async () => {
  const sent: SettingsPatch[] = [];
  const { type, save, notices } = await startSettings(async (patch) => (sent.push(patch), settingsOf(patch as never)));
  await type({ timeZone: "Europe/Berlin", weekdays: withDay("12345", 6) });
  await save();
  await type({ timeZone: "", optOutWords: " stop \n\n halt" });
  await save();
  await save();
  expect(sent).toEqual([
    { time_zone: "Europe/Berlin", weekdays: [1, 2, 3, 4, 5, 6] },
    { time_zone: null, opt_out_words: ["stop", "halt"] },
  ]);
  expect(notices).toEqual(["Settings saved.", "Settings saved."]);
});

it.each([
  { version: "mine", words: ["halt"] },
  { version: "saved", words: ["end"] },
] as const)("saves the version that the user chose of a conflicting field: $words", async ({ version, words }) => {
  let stored = settingsOf({ time_zone: "Asia/Tokyo", opt_out_words: ["end"] });
  const { go, type, save, context, returns } = await startSettings(
    async (patch) => (stored = { ...stored, ...(patch as Partial<typeof stored>) }),
  );
  await type({ optOutWords: "halt" });
  await returns(stored);
  expect(context()).toMatchObject({
    form: { timeZone: "Asia/Tokyo", optOutWords: "halt" },
    saved: { optOutWords: "end" },
    isConflict: true,
  });
  await go({ type: "settings.choose", version });
  await save();
  expect(stored).toMatchObject({ time_zone: "Asia/Tokyo", opt_out_words: words });
});
