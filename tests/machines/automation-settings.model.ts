import { automationSettingsMachine } from "../../src/machines/automation-settings/index.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

const offline = new Error("offline");

export const automationSettingsModel: WalkedModel = {
  events: [
    { type: "settings.change", change: { isEnabled: true } },
    { type: "settings.change", change: { startHour: "24" } },
    { type: "settings.change", change: { startHour: "8" } },
    {
      type: "xstate.done.actor.fetchSettings",
      output: { auto_followups_enabled: false, auto_followup_start_hour: 8, auto_followup_end_hour: 20 },
    },
    { type: "xstate.error.actor.fetchSettings", error: offline },
    { type: "xstate.done.actor.saveSettings", output: undefined },
    { type: "xstate.error.actor.saveSettings", error: offline },
  ],
  // What an edit is under a refresh is told by hand.
  allow: ({ context: { form, saved } }, { type }) =>
    type !== "reading.refresh" || JSON.stringify(form) === JSON.stringify(saved),
  provide: overPending(automationSettingsMachine),
};
