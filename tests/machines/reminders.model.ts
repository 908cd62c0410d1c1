import type { AnyMachineSnapshot } from "xstate";
import type { Reminder } from "../../domain/reminder.ts";
import { createReminders } from "../../src/machines/reminders/reminders.machine.ts";
import { done, failed, failedWrites, modelOf, offline, refusedWith } from "../support/model.ts";
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

type Region = "list" | "rule" | "suggestions" | "form";
const regionOf = (type: string): Region | null => {
  if (/StageNames/.test(type)) return "suggestions";
  if (/^form|addReminder|showAlert/.test(type)) return "form";
  if (/^reminder|toggleReminder|deleteReminder/.test(type)) return "rule";
  return /fetchReminders|^reading/.test(type) ? "list" : null;
};
const isAtRest = (snapshot: AnyMachineSnapshot): Record<Region, boolean> => ({
  list: snapshot.matches({ list: { shown: "current" } }),
  rule: snapshot.matches({ rule: "resting" }),
  suggestions: snapshot.matches({ suggestions: "known" }),
  form: snapshot.matches({ form: "awaitingRule" }),
});

/** Returns which change failed, if any; its message is used for all messages. */
const attempted = (context: { problem: { attempt: string } | null }) => context.problem?.attempt ?? null;

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
  project: ({ value, context }) => [value, context.form.stage, context.reminders.length, attempted(context)],
  // Each region is walked while the others are idle, except that results of a rule or the form also change the list.
  allow: (snapshot, { type }) => {
    const region = regionOf(type);
    if (type.startsWith("xstate.") && region === null) return false;
    const resting = isAtRest(snapshot);
    // The list can be refreshed while the alert is shown.
    if (type.endsWith(".showAlert")) return resting.rule;
    if (type.startsWith("reading."))
      return resting.rule && resting.form && !(resting.suggestions && resting.list && type === "reading.retry");
    return (Object.keys(resting) as Region[]).every(
      (other) =>
        other === region ||
        resting[other] ||
        ((other === "list" || other === "suggestions") && region !== "form" && region !== "rule"),
    );
  },
});
