import { type SnapshotFrom, assertEvent, assign, raise, setup } from "xstate";
import { REMINDER_DEFAULT_DELAY_DAYS } from "../../../domain/limits.ts";
import { REMINDER_DEFAULT_TEMPLATE, REMINDER_DEFAULT_TYPE, type Reminder } from "../../../domain/reminder.ts";
import { telling } from "../kit/asking.ts";
import { withEvent } from "../kit/payload.ts";
import { type ReadingEvent, firstReading, reading } from "../kit/reading.ts";
import { type FailureText, failureMessage, refusedFields } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { ADD_FAILED, DELETE_FAILED, TOGGLE_FAILED, type ReminderDraft, placeholderActors } from "./reminders.actors.ts";

/** The form as typed. */
export type ReminderForm = { stage: string; channelId: string; delayDays: string; template: string };

export const BLANK_FORM: ReminderForm = {
  stage: "",
  channelId: "",
  delayDays: String(REMINDER_DEFAULT_DELAY_DAYS),
  template: REMINDER_DEFAULT_TEMPLATE,
};

type RemindersContext = {
  reminders: Reminder[];
  stageNames: string[];
  form: ReminderForm;
  /** Why the last reminder was not added, in one sentence, and by field of the call. */
  refusal: { message: string; fields: Readonly<Record<string, string>> } | null;
  /** The rule being toggled or deleted. */
  activeId: string | null;
  /** What the last attempt on a rule came to, told beside it. */
  problem: { id: string; attempt: "toggle" | "delete"; words: string } | null;
};

const draftOf = (form: ReminderForm): ReminderDraft => ({
  type: REMINDER_DEFAULT_TYPE,
  stage: form.stage,
  delay_days: form.delayDays.trim() === "" ? null : Number(form.delayDays),
  channel_id: form.channelId,
  template: form.template,
});

/**
 * Rules for leads stuck in a stage: the list, one change to it at a time, and the form of a new one. What a person does
 * to a rule waits for a list that could be read.
 */
export const remindersMachine = setup({
  types: {
    context: {} as RemindersContext,
    events: {} as
      | ReadingEvent
      | { type: "form.change"; change: Partial<ReminderForm> }
      | { type: "form.submit" }
      | { type: "reminder.toggle"; id: string }
      | { type: "reminder.delete"; id: string },
  },
  actors: placeholderActors,
  actions: {
    storeReminders: assign((_, reminders: Reminder[]) => ({ reminders })),
    storeStageNames: assign((_, stageNames: string[]) => ({ stageNames })),
    storeForm: assign(({ context }, params: { change: Partial<ReminderForm> }) => ({
      form: { ...context.form, ...params.change },
      refusal: null,
    })),
    resetForm: assign({ form: BLANK_FORM, refusal: null }),
    storeRefusal: assign((_, { error }: { error: unknown }) => ({
      refusal: { message: failureMessage(error, ADD_FAILED), fields: refusedFields(error) },
    })),
    storeActive: assign((_, params: { id: string }) => ({ activeId: params.id, problem: null })),
    forgetActive: assign({ activeId: null }),
    storeProblem: assign(
      ({ context }, params: { attempt: "toggle" | "delete"; error: unknown; text: FailureText }) => ({
        problem: {
          id: context.activeId ?? "",
          attempt: params.attempt,
          words: failureMessage(params.error, params.text),
        },
      }),
    ),
    toggleActive: assign(({ context }) => ({
      reminders: context.reminders.map((reminder) =>
        reminder.id === context.activeId ? { ...reminder, is_enabled: !reminder.is_enabled } : reminder,
      ),
    })),
    dropActive: assign(({ context }) => ({
      reminders: context.reminders.filter((reminder) => reminder.id !== context.activeId),
    })),
    refreshList: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
  },
  guards: {
    isListed: ({ context }, params: { id: string }) => context.reminders.some(({ id }) => id === params.id),
  },
}).createMachine({
  id: "reminders",
  context: { reminders: [], stageNames: [], form: BLANK_FORM, refusal: null, activeId: null, problem: null },
  type: "parallel",
  invoke: [
    { id: "watchRestored", src: "watchRestored" },
    { id: "watchReturns", src: "watchReturns" },
  ],
  states: {
    list: reading({ src: "fetchReminders", store: "storeReminders", what: "the reminders" }),
    rule: {
      initial: "resting",
      states: {
        resting: {
          entry: "forgetActive",
          on: {
            "reminder.toggle": { guard: withEvent("isListed"), target: "toggling", actions: withEvent("storeActive") },
            "reminder.delete": { guard: withEvent("isListed"), target: "deleting", actions: withEvent("storeActive") },
          },
        },
        toggling: {
          invoke: {
            id: "toggleReminder",
            src: "toggleReminder",
            input: ({ context, event }) => {
              assertEvent(event, "reminder.toggle");
              return { id: event.id, isEnabled: !context.reminders.find(({ id }) => id === event.id)?.is_enabled };
            },
            onDone: { target: "resting", actions: ["toggleActive", "refreshList"] },
            onError: {
              target: "resting",
              actions: [
                {
                  type: "storeProblem",
                  params: ({ event }) => ({ attempt: "toggle" as const, error: event.error, text: TOGGLE_FAILED }),
                },
                reportFailure("a reminder was not toggled"),
                "refreshList",
              ],
            },
          },
        },
        deleting: {
          invoke: {
            id: "deleteReminder",
            src: "deleteReminder",
            input: ({ event }) => {
              assertEvent(event, "reminder.delete");
              return { id: event.id };
            },
            onDone: { target: "resting", actions: "dropActive" },
            onError: {
              target: "resting",
              actions: [
                {
                  type: "storeProblem",
                  params: ({ event }) => ({ attempt: "delete" as const, error: event.error, text: DELETE_FAILED }),
                },
                reportFailure("a reminder was not deleted"),
                "refreshList",
              ],
            },
          },
        },
      },
    },
    suggestions: {
      initial: "loading",
      states: {
        ...firstReading({
          src: "fetchStageNames",
          store: "storeStageNames",
          what: "the stage names",
          shown: "known",
        }),
        known: {},
      },
    },
    form: {
      initial: "awaitingRule",
      states: {
        awaitingRule: {
          on: {
            "form.change": { actions: withEvent("storeForm") },
            "form.submit": "adding",
          },
        },
        adding: {
          invoke: {
            id: "addReminder",
            src: "addReminder",
            input: ({ context }) => draftOf(context.form),
            onDone: { target: "awaitingRule", actions: ["resetForm", "refreshList"] },
            onError: {
              target: "alerting",
              actions: [withEvent("storeRefusal"), reportFailure("a reminder was not added"), "refreshList"],
            },
          },
        },
        alerting: telling({ message: "Error adding reminder" }, "awaitingRule"),
      },
    },
  },
});

export type RemindersSnapshot = SnapshotFrom<typeof remindersMachine>;
