import { fromPromise } from "xstate";
import type { Reminder } from "../../../domain/reminder.ts";

/** What `POST /reminders` carries; the rule's type is always 'stuck'. */
export type ReminderDraft = {
  type: string;
  stage: string;
  delay_days: number | null;
  channel_id: string;
  template: string;
};

export type RemindersGateway = {
  list(signal: AbortSignal): Promise<Reminder[]>;
  add(input: ReminderDraft, signal: AbortSignal): Promise<void>;
  setEnabled(input: { id: string; isEnabled: boolean }, signal: AbortSignal): Promise<void>;
  remove(input: { id: string }, signal: AbortSignal): Promise<void>;
};

export type RemindersDeps = {
  reminders: RemindersGateway;
  /** Stage names to suggest while one is typed. */
  stages: { list(signal: AbortSignal): Promise<readonly { name: string | null }[]> };
  notifier: { alert(message: string): Promise<void> };
  logger: { warn(what: string, error: unknown): void };
};

const notProvided = (name: string) => () => Promise.reject(new Error(`${name} must be provided`));

export const placeholderActors = {
  fetchReminders: fromPromise<Reminder[]>(notProvided("fetchReminders")),
  fetchStageNames: fromPromise<string[]>(notProvided("fetchStageNames")),
  addReminder: fromPromise<void, ReminderDraft>(notProvided("addReminder")),
  toggleReminder: fromPromise<void, { id: string; isEnabled: boolean }>(notProvided("toggleReminder")),
  deleteReminder: fromPromise<void, { id: string }>(notProvided("deleteReminder")),
  showAlert: fromPromise<void, { message: string }>(notProvided("showAlert")),
};

export const createRemindersActors = ({ reminders, stages, notifier }: RemindersDeps) => ({
  fetchReminders: fromPromise<Reminder[]>(({ signal }) => reminders.list(signal)),
  fetchStageNames: fromPromise<string[]>(async ({ signal }) =>
    (await stages.list(signal)).map((stage) => stage.name ?? "").filter((name) => name !== ""),
  ),
  addReminder: fromPromise<void, ReminderDraft>(({ input, signal }) => reminders.add(input, signal)),
  toggleReminder: fromPromise<void, { id: string; isEnabled: boolean }>(({ input, signal }) =>
    reminders.setEnabled(input, signal),
  ),
  deleteReminder: fromPromise<void, { id: string }>(({ input, signal }) => reminders.remove(input, signal)),
  showAlert: fromPromise<void, { message: string }>(({ input }) => notifier.alert(input.message)),
});
