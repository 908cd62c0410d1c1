import { createReporter } from "../kit/reporting.ts";
import { type RemindersDeps, createRemindersActors } from "./reminders.actors.ts";
import { remindersMachine } from "./reminders.machine.ts";

/** Reminder rules over a gateway. */
export const createReminders = (deps: RemindersDeps) =>
  remindersMachine.provide({
    actors: createRemindersActors(deps),
    actions: { reportFailure: createReporter(deps.logger) },
  });

export type { RemindersDeps, RemindersGateway } from "./reminders.actors.ts";
export { RemindersProvider, useCanReminders, useReminders, useRemindersEvents } from "./reminders.context.tsx";
export { BLANK_FORM as BLANK_REMINDER, remindersMachine } from "./reminders.machine.ts";
export * from "./reminders.selectors.ts";
