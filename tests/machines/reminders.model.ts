import type { Reminder } from "../../domain/reminder.ts";
import { createReminders } from "../../src/machines/reminders/reminders.machine.ts";
import { done, failed, failedWrites, modelOf, offline, refusedWith, whileAtRest } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const invalid = refusedWith(422, {
  message: "Check the reminder.",
  code: "invalid",
  fields: { stage: "Name it.", odd: 7 },
});

export const oneReminder: Reminder = {
  id: "reminder-1",
  type: "stuck",
  stage: "Interested",
  delay_days: 2,
  channel_id: "@team",
  template: "⏰ Lead {name} is stuck in stage {stage}.",
  is_enabled: true,
  disabled_reason: null,
};

export const remindersModel = modelOf(createReminders(fakePage()), {
  unreported: ["showAlert"],
  events: [
    { type: "form.change", change: { stage: "Interested" } },
    { type: "reminder.toggle", id: "reminder-1" },
    { type: "reminder.delete", id: "reminder-1" },
    ...done("fetchReminders", [oneReminder]),
    ...done("fetchStageNames", ["Interested"]),
    ...failed("addReminder", invalid, offline),
    ...failedWrites("toggleReminder"),
    ...failedWrites("deleteReminder"),
  ],
  // Each region is walked while the others are at rest. The list can be refreshed while the alert is shown.
  allow: whileAtRest(
    { list: { shown: "current" }, rule: "resting", suggestions: "known", form: "awaitingRule" },
    (type) => {
      if (type.endsWith(".showAlert")) return ["form", "list", "suggestions"];
      if (/^form|addReminder/.test(type)) return ["form"];
      return /^reminder|(toggle|delete)Reminder/.test(type) ? ["rule"] : ["list", "suggestions"];
    },
  ),
});
