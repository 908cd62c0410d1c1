import type { Reminder } from "../../domain/reminder.ts";
import { remindersMachine } from "../../src/machines/reminders/index.ts";
import { HttpError } from "../../src/services/http.ts";
import type { WalkedModel } from "../support/walk-suite.ts";

const offline = new Error("offline");
const refused = new HttpError(422, { message: "Check the reminder.", code: "invalid", fields: { stage: "Name it." } });

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

type Region = "list" | "suggestions" | "form";
const regionOf = (type: string): Region => {
  if (/StageNames/.test(type)) return "suggestions";
  return /^form|addReminder|showAlert/.test(type) ? "form" : "list";
};

export const remindersModel: WalkedModel = {
  events: [
    { type: "form.change", change: { stage: "Interested" } },
    { type: "reminder.toggle", id: "reminder-1" },
    { type: "reminder.delete", id: "reminder-1" },
    { type: "xstate.done.actor.fetchReminders", output: [oneReminder] },
    { type: "xstate.error.actor.fetchReminders", error: offline },
    { type: "xstate.done.actor.fetchStageNames", output: ["Interested"] },
    { type: "xstate.error.actor.fetchStageNames", error: offline },
    { type: "xstate.done.actor.addReminder", output: undefined },
    { type: "xstate.error.actor.addReminder", error: refused },
    { type: "xstate.done.actor.toggleReminder", output: undefined },
    { type: "xstate.error.actor.toggleReminder", error: offline },
    { type: "xstate.done.actor.deleteReminder", output: undefined },
    { type: "xstate.error.actor.deleteReminder", error: offline },
    { type: "xstate.done.actor.showAlert", output: undefined },
    { type: "xstate.error.actor.showAlert", error: offline },
  ],
  project: ({ value, context }) => [value, context.form.stage, context.reminders.length],
  // Each region is walked while the others rest; adding alone reaches over, into the list.
  allow: (snapshot, { type }) => {
    const region = regionOf(type);
    return (
      (region === "suggestions" || !snapshot.matches({ suggestions: "loading" })) &&
      (region !== "form" || snapshot.matches({ list: "ready" })) &&
      (region !== "list" || snapshot.matches({ form: "awaitingRule" }))
    );
  },
  provide: ({ service }) =>
    remindersMachine.provide({
      actors: {
        fetchReminders: service("fetchReminders"),
        fetchStageNames: service("fetchStageNames"),
        addReminder: service("addReminder"),
        toggleReminder: service("toggleReminder"),
        deleteReminder: service("deleteReminder"),
        showAlert: service("showAlert"),
      },
    }),
};
