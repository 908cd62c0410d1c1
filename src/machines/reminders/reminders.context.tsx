import { createMachineContext } from "../kit/context.tsx";
import { type ReminderForm, remindersMachine } from "./reminders.machine.ts";

const Reminders = createMachineContext(remindersMachine, (rules) => ({
  changeForm: (change: Partial<ReminderForm>) => rules.send({ type: "form.change", change }),
  addReminder: () => rules.send({ type: "form.submit" }),
  retryReading: () => rules.send({ type: "reading.retry" }),
  toggleReminder: (id: string) => rules.send({ type: "reminder.toggle", id }),
  deleteReminder: (id: string) => rules.send({ type: "reminder.delete", id }),
}));

export const RemindersProvider = Reminders.Provider;
export const useReminders = Reminders.use;
/** What a person can do to reminder rules. */
export const useRemindersEvents = Reminders.useVerbs;
export const useCanReminders = Reminders.useCan;
