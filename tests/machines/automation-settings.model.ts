import { createAutomationSettings } from "../../src/machines/automation-settings/automation-settings.machine.ts";
import { done, failed, failedWrites, modelOf, refusedWith } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const automationSettingsModel = modelOf(createAutomationSettings(fakePage()), {
  events: [
    { type: "settings.change", change: { isEnabled: true } },
    { type: "settings.change", change: { startHour: "24" } },
    { type: "settings.change", change: { startHour: "8" } },
    ...done("fetchSettings", {
      auto_followups_enabled: false,
      auto_followup_start_hour: 8,
      auto_followup_end_hour: 20,
    }),
    ...failedWrites("saveSettings"),
    ...failed("saveSettings", refusedWith(409, { code: "stale", message: "Changed elsewhere." })),
    ...done(
      "fetchCurrent",
      ...[7, 8, 20].map((start) => ({
        auto_followups_enabled: true,
        auto_followup_start_hour: start,
        auto_followup_end_hour: 20,
      })),
    ),
    { type: "settings.choose", version: "mine" },
    { type: "settings.choose", version: "saved" },
  ],
  // Edits during a refresh are covered by the invariants and journeys.
  allow: ({ context: { form, saved } }, { type }) =>
    type !== "reading.refresh" || JSON.stringify(form) === JSON.stringify(saved),
});
