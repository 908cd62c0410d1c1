import { fromPromise } from "xstate";
import type { Reminder } from "../../../domain/reminder.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type Notifier, alerting } from "../kit/speaking.ts";
import type { Undoing } from "../kit/undoing.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

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
  add(input: ReminderDraft): Promise<void>;
  setEnabled(input: { id: string; isEnabled: boolean }): Promise<void>;
  remove(input: { id: string }): Promise<void>;
};

export type RemindersDeps = WritingDeps & {
  reminders: RemindersGateway;
  undoing: Undoing<unknown>;
  /** Stage names to suggest while one is typed. */
  stages: { list(signal: AbortSignal): Promise<readonly { name: string | null }[]> };
  notifier: Pick<Notifier, "alert">;
  /** Tells when the page comes back: what it shows may be old. */
  onReturn: (listener: () => void) => () => void;
};

export const ADD_FAILED: FailureText = {
  refused: "The reminder was not added.",
  unknown: "The reminder may have been added. If it is not in the list, try again: it is not added twice.",
};
export const TOGGLE_FAILED: FailureText = {
  refused: "The reminder was not changed.",
  unknown: "The reminder may have been changed.",
};
export const DELETE_FAILED: FailureText = {
  refused: "The reminder was not deleted.",
  unknown: "The reminder may have been deleted.",
};

export const placeholderActors = {
  fetchReminders: notProvided<Reminder[], void>("fetchReminders"),
  fetchStageNames: notProvided<string[], void>("fetchStageNames"),
  addReminder: notProvided<void, ReminderDraft>("addReminder"),
  toggleReminder: notProvided<void, { id: string; isEnabled: boolean }>("toggleReminder"),
  deleteReminder: notProvided<void, { id: string }>("deleteReminder"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
  watchRestored: unwatched,
  watchReturns: unwatched,
};

export const createRemindersActors = ({ reminders, undoing, stages, onReturn, ...page }: RemindersDeps) => {
  /** What was deleted during each reading under way: its answer may be older and still have it. */
  const deletedMeanwhile = new Set<Set<string>>();
  return {
    fetchReminders: fromPromise<Reminder[], void>(async ({ signal }) => {
      const deleted = new Set<string>();
      deletedMeanwhile.add(deleted);
      try {
        return (await reminders.list(signal)).filter(({ id }) => !deleted.has(id));
      } finally {
        deletedMeanwhile.delete(deleted);
      }
    }),
    fetchStageNames: fromPromise<string[], void>(async ({ signal }) =>
      (await stages.list(signal)).map((stage) => stage.name ?? "").filter((name) => name !== ""),
    ),
    addReminder: writing<void, ReminderDraft>(page, (input) => reminders.add(input), {
      done: "Reminder added.",
      failed: ADD_FAILED,
    }),
    toggleReminder: writing<void, { id: string; isEnabled: boolean }>(page, (input) => reminders.setEnabled(input), {
      failed: TOGGLE_FAILED,
    }),
    deleteReminder: writing<void, { id: string }>(
      page,
      async (input) => {
        await reminders.remove(input);
        deletedMeanwhile.forEach((deleted) => deleted.add(input.id));
        undoing.offer(input.id);
      },
      { failed: DELETE_FAILED },
    ),
    showAlert: alerting(page.notifier),
    watchRestored: watchingReturns((listener) => undoing.onRestored(listener)),
    watchReturns: watchingReturns(onReturn),
  };
};
