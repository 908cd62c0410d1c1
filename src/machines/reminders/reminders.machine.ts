import { type ActorRefFrom, type SnapshotFrom, assign, raise, setup } from "xstate";
import { REMINDER_DEFAULT_DELAY_DAYS } from "../../../domain/limits.ts";
import { failureOf } from "../../../domain/problem.ts";
import { REMINDER_DEFAULT_TEMPLATE, REMINDER_DEFAULT_TYPE, type Reminder } from "../../../domain/reminder.ts";
import { type ReminderDraft, placeholderActors } from "./reminders.actors.ts";

/** The form as typed. */
export type ReminderForm = { stage: string; channelId: string; delayDays: string; template: string };

const BLANK_FORM: ReminderForm = {
  stage: "",
  channelId: "",
  delayDays: String(REMINDER_DEFAULT_DELAY_DAYS),
  template: REMINDER_DEFAULT_TEMPLATE,
};

type RemindersContext = {
  reminders: Reminder[];
  stageNames: string[];
  form: ReminderForm;
  /** Why the server refused the last reminder, by field of the call, and in one sentence. */
  refusal: { message: string; fields: Record<string, string> } | null;
  /** The rule being toggled or deleted. */
  activeId: string | null;
};

const draftOf = (form: ReminderForm): ReminderDraft => ({
  type: REMINDER_DEFAULT_TYPE,
  stage: form.stage,
  delay_days: form.delayDays.trim() === "" ? null : Number(form.delayDays),
  channel_id: form.channelId,
  template: form.template,
});

const unreported: (_: unknown, params: { what: string; error: unknown }) => void = () => {};

/** Rules for leads stuck in a stage: the list, one change to it at a time, and the form of a new one. */
export const remindersMachine = setup({
  types: {
    context: {} as RemindersContext,
    events: {} as
      | { type: "form.change"; change: Partial<ReminderForm> }
      | { type: "form.submit" }
      | { type: "list.reload" }
      | { type: "reminder.toggle"; id: string }
      | { type: "reminder.delete"; id: string },
  },
  actors: placeholderActors,
  actions: {
    storeReminders: assign((_, params: { reminders: Reminder[] }) => ({ reminders: params.reminders })),
    storeStageNames: assign((_, params: { stageNames: string[] }) => ({ stageNames: params.stageNames })),
    storeForm: assign(({ context }, params: { change: Partial<ReminderForm> }) => ({
      form: { ...context.form, ...params.change },
      refusal: null,
    })),
    resetForm: assign({ form: BLANK_FORM, refusal: null }),
    storeRefusal: assign((_, params: { error: unknown }) => ({ refusal: refusalOf(params.error) })),
    storeActive: assign((_, params: { id: string }) => ({ activeId: params.id })),
    forgetActive: assign({ activeId: null }),
    dropActive: assign(({ context }) => ({
      reminders: context.reminders.filter((reminder) => reminder.id !== context.activeId),
    })),
    reloadList: raise({ type: "list.reload" }),
    reportFailure: unreported,
  },
}).createMachine({
  id: "reminders",
  context: { reminders: [], stageNames: [], form: BLANK_FORM, refusal: null, activeId: null },
  type: "parallel",
  states: {
    list: {
      initial: "loading",
      on: { "list.reload": ".loading" },
      states: {
        loading: {
          invoke: {
            id: "fetchReminders",
            src: "fetchReminders",
            onDone: {
              target: "ready",
              actions: { type: "storeReminders", params: ({ event }) => ({ reminders: event.output }) },
            },
            onError: {
              target: "failed",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "reminders were not read", error: event.error }),
              },
            },
          },
        },
        failed: {},
        ready: {
          entry: "forgetActive",
          on: {
            "reminder.toggle": { target: "toggling", actions: { type: "storeActive", params: ({ event }) => event } },
            "reminder.delete": { target: "deleting", actions: { type: "storeActive", params: ({ event }) => event } },
          },
        },
        toggling: {
          invoke: {
            id: "toggleReminder",
            src: "toggleReminder",
            input: ({ context }) => ({
              id: context.activeId ?? "",
              isEnabled: !context.reminders.find((reminder) => reminder.id === context.activeId)?.is_enabled,
            }),
            onDone: "loading",
            onError: {
              target: "ready",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "a reminder was not toggled", error: event.error }),
              },
            },
          },
        },
        deleting: {
          invoke: {
            id: "deleteReminder",
            src: "deleteReminder",
            input: ({ context }) => ({ id: context.activeId ?? "" }),
            onDone: { target: "ready", actions: "dropActive" },
            onError: {
              target: "ready",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "a reminder was not deleted", error: event.error }),
              },
            },
          },
        },
      },
    },
    suggestions: {
      initial: "loading",
      states: {
        loading: {
          invoke: {
            id: "fetchStageNames",
            src: "fetchStageNames",
            onDone: {
              target: "known",
              actions: { type: "storeStageNames", params: ({ event }) => ({ stageNames: event.output }) },
            },
            onError: {
              target: "unknown",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "stage names were not read", error: event.error }),
              },
            },
          },
        },
        known: {},
        unknown: {},
      },
    },
    form: {
      initial: "awaitingRule",
      states: {
        awaitingRule: {
          on: {
            "form.change": { actions: { type: "storeForm", params: ({ event }) => event } },
            "form.submit": "adding",
          },
        },
        adding: {
          invoke: {
            id: "addReminder",
            src: "addReminder",
            input: ({ context }) => draftOf(context.form),
            onDone: { target: "awaitingRule", actions: ["resetForm", "reloadList"] },
            onError: {
              target: "alerting",
              actions: [
                { type: "storeRefusal", params: ({ event }) => event },
                {
                  type: "reportFailure",
                  params: ({ event }) => ({ what: "a reminder was not added", error: event.error }),
                },
              ],
            },
          },
        },
        alerting: {
          invoke: {
            id: "showAlert",
            src: "showAlert",
            input: { message: "Error adding reminder" },
            onDone: "awaitingRule",
            onError: "awaitingRule",
          },
        },
      },
    },
  },
});

function refusalOf(error: unknown): RemindersContext["refusal"] {
  const { message, body } = failureOf(error);
  if (message === null) return null;
  const { fields } = body as { fields?: unknown };
  const texts = typeof fields === "object" && fields !== null ? Object.entries(fields) : [];
  return {
    message,
    fields: Object.fromEntries(texts.filter((entry): entry is [string, string] => typeof entry[1] === "string")),
  };
}

export type RemindersRef = ActorRefFrom<typeof remindersMachine>;
export type RemindersSnapshot = SnapshotFrom<typeof remindersMachine>;
