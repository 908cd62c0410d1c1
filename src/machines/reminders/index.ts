import { type RemindersDeps, createRemindersActors } from "./reminders.actors.ts";
import { remindersMachine } from "./reminders.machine.ts";

/** Reminder rules over a gateway. */
export const createReminders = (deps: RemindersDeps) =>
  remindersMachine.provide({
    actors: createRemindersActors(deps),
    actions: { reportFailure: (_, { what, error }) => deps.logger.warn(what, error) },
  });

export type { ReminderDraft, RemindersDeps, RemindersGateway } from "./reminders.actors.ts";
export { RemindersProvider, useReminders, useRemindersEvents } from "./reminders.context.tsx";
export { type ReminderForm, type RemindersSnapshot, remindersMachine } from "./reminders.machine.ts";
export * from "./reminders.selectors.ts";
