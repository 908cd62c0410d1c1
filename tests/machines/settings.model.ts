import { parse } from "valibot";
import { Settings } from "../../domain/settings.ts";
import { createSettings } from "../../src/machines/settings/settings.machine.ts";
import { done, failed, modelOf, offline, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const settingsOf = (known: Partial<Settings> = {}): Settings =>
  parse(Settings, { weekdays: [1, 2, 3, 4, 5], opt_out_words: ["stop"], ...known });

export const refusal = refusedWith(422, {
  message: "That cannot be saved.",
  code: "invalid",
  fields: { opt_out_words: "Choose other words." },
});

const stale = refusedWith(409, { code: "stale", message: "Changed elsewhere." });

export const settingsModel = modelOf(createSettings(fakePage()), {
  events: [
    ...done("fetchSettings", settingsOf()),
    ...done("saveSettings", settingsOf({ opt_out_words: ["stop", "halt"] })),
    ...failed("saveSettings", offline, refusal, stale),
    ...done(
      "fetchCurrent",
      settingsOf({ weekdays: [1] }),
      settingsOf({ opt_out_words: ["stop", "halt"] }),
      settingsOf({ opt_out_words: ["end"] }),
    ),
    { type: "settings.choose", version: "mine" },
    { type: "settings.choose", version: "saved" },
    { type: "settings.change", change: { optOutWords: "stop\nhalt" } },
    { type: "settings.change", change: { optOutWords: "x".repeat(65) } },
  ],
});
