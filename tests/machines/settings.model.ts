import type { Settings } from "../../domain/settings.ts";
import { settingsMachine } from "../../src/machines/settings/index.ts";
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
    { type: "xstate.done.actor.fetchSettings", output: settingsOf() },
    { type: "xstate.error.actor.fetchSettings", error: new Error("offline") },
    { type: "xstate.done.actor.saveSettings", output: settingsOf({ opt_out_words: ["stop", "halt"] }) },
    { type: "xstate.error.actor.saveSettings", error: new Error("offline") },
    { type: "xstate.error.actor.saveSettings", error: refusal },
    { type: "xstate.error.actor.saveSettings", error: stale },
    { type: "xstate.done.actor.fetchCurrent", output: settingsOf({ weekdays: [1] }) },
    { type: "xstate.done.actor.fetchCurrent", output: settingsOf({ opt_out_words: ["stop", "halt"] }) },
    { type: "xstate.done.actor.fetchCurrent", output: settingsOf({ opt_out_words: ["end"] }) },
    { type: "xstate.error.actor.fetchCurrent", error: new Error("offline") },
    { type: "settings.choose", version: "mine" },
    { type: "settings.choose", version: "saved" },
    { type: "settings.change", change: { optOutWords: "stop\nhalt" } },
    { type: "settings.change", change: { optOutWords: "x".repeat(65) } },
  ],
  /** Typing what stands there already is no change. */
  allow: (snapshot, event) => snapshot.can(event) && event["change"]?.optOutWords !== snapshot.context.form.optOutWords,
  provide: overPending(settingsMachine),
};
