import type { Settings } from "../../domain/settings.ts";
import { settingsMachine } from "../../src/machines/settings/index.ts";
import { done, failed } from "../support/model-events.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const settingsOf = (known: Partial<Settings> = {}): Settings => ({
  time_zone: null,
  weekdays: [1, 2, 3, 4, 5],
  dry_run: false,
  read_receipts: false,
  opt_out_words: ["stop"],
  exclude_contacts: false,
  setup_dismissed: false,
  language: "en",
  ...known,
});

export const refusal = Object.assign(new Error("refused"), {
  status: 422,
  body: { message: "That cannot be saved.", code: "invalid", fields: { opt_out_words: "Choose other words." } },
});

const stale = Object.assign(new Error("stale"), {
  status: 409,
  body: { code: "stale", message: "Changed elsewhere." },
});

export const settingsModel: WalkedModel = {
  events: [
    ...done("fetchSettings", settingsOf()),
    ...failed("fetchSettings"),
    ...done("saveSettings", settingsOf({ opt_out_words: ["stop", "halt"] })),
    ...failed("saveSettings", new Error("offline"), refusal, stale),
    ...done(
      "fetchCurrent",
      settingsOf({ weekdays: [1] }),
      settingsOf({ opt_out_words: ["stop", "halt"] }),
      settingsOf({ opt_out_words: ["end"] }),
    ),
    ...failed("fetchCurrent"),
    { type: "settings.choose", version: "mine" },
    { type: "settings.choose", version: "saved" },
    { type: "settings.change", change: { optOutWords: "stop\nhalt" } },
    { type: "settings.change", change: { optOutWords: "x".repeat(65) } },
  ],
  /** Typing what stands there already is no change. */
  allow: (snapshot, event) => event["change"]?.optOutWords !== snapshot.context.form.optOutWords,
  provide: overPending(settingsMachine),
};
