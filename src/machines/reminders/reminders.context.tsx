import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { type ReminderForm, remindersMachine } from "./reminders.machine.ts";

const Reminders = createActorContext(remindersMachine);

export const RemindersProvider = Reminders.Provider;
export const useReminders = Reminders.useSelector;

/** What a person can do to reminder rules. */
export function useRemindersEvents() {
  const rules = Reminders.useActorRef();
  return useMemo(
    () => ({
      changeForm: (change: Partial<ReminderForm>) => rules.send({ type: "form.change", change }),
      addReminder: () => rules.send({ type: "form.submit" }),
      reload: () => rules.send({ type: "list.reload" }),
      toggleReminder: (id: string) => rules.send({ type: "reminder.toggle", id }),
      deleteReminder: (id: string) => rules.send({ type: "reminder.delete", id }),
    }),
    [rules],
  );
}
