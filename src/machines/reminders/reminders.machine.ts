import { i18n } from "@lingui/core";
import { msg } from "@lingui/core/runtime-macro";
import { assertEvent, assign, fromPromise, raise, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { REMINDER_DEFAULT_DELAY_DAYS, REMINDER_MAX_DELAY_DAYS } from "../../../domain/limits.ts";
import { REMINDER_DEFAULT_TEMPLATE, REMINDER_DEFAULT_TYPE, type Reminder } from "../../../domain/reminder.ts";
import { isWholeNumber } from "../../language/format.ts";
import { createRemindersGateway } from "../../services/reminders.ts";
import { createStagesGateway } from "../../services/stages.ts";
import { createChart, withEvent } from "../kit/chart.ts";
import { alerting, alertState } from "../kit/confirming.ts";
import { type ReadingEvent, fetching, initialLoad } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { type Undoing, createUndoing } from "../kit/undo.ts";
import { type FailureText, failureMessage, refusedFields, writing } from "../kit/writing.ts";

type RemindersService = ReturnType<typeof createRemindersGateway>;
type ReminderDraft = Parameters<RemindersService["add"]>[0];

type RemindersParts = {
  reminders?: Pick<RemindersService, "list" | "add" | "setEnabled" | "remove">;
  stages?: { list: (signal: AbortSignal) => Promise<readonly { name: string | null }[]> };
  undoing?: Undoing<unknown>;
};

const ADD_FAILED: FailureText = {
  refused: msg`The reminder was not added.`,
  unknown: msg`The reminder may have been added. If it is not in the list, try again: it is not added twice.`,
};
const TOGGLE_FAILED: FailureText = {
  refused: msg`The reminder was not changed.`,
  unknown: msg`The reminder may have been changed.`,
};
const DELETE_FAILED: FailureText = {
  refused: msg`The reminder was not deleted.`,
  unknown: msg`The reminder may have been deleted.`,
};

/** Undoes deleted reminders. One actor per page, so an undo updates the list that is then on the screen. */
export const createReminderUndoing = (page: Page): Undoing<unknown> =>
  createUndoing(page, createRemindersGateway(page.http).restore, {
    deleted: msg`Reminder deleted.`,
    restored: msg`Reminder restored.`,
    failed: { refused: msg`The reminder could not be restored.`, unknown: msg`The reminder may have been restored.` },
  });

export type ReminderForm = { stage: string; channelId: string; delayDays: string; template: string };

/** A blank form. The template is in the page's language, ready to use. */
export const blankForm = (): ReminderForm => ({
  stage: "",
  channelId: "",
  delayDays: String(REMINDER_DEFAULT_DELAY_DAYS),
  template: i18n._(REMINDER_DEFAULT_TEMPLATE),
});

type RemindersContext = {
  reminders: Reminder[];
  stageNames: string[];
  form: ReminderForm;
  /** Why the last reminder was not added: a message, and problems by field. */
  refusal: { message: UiTextOrString; fields: Readonly<Record<string, UiTextOrString>> } | null;
  activeId: string | null;
  /** Why the last change of a rule failed; shown beside it. */
  problem: { id: string; attempt: "toggle" | "delete"; message: UiTextOrString } | null;
};

const hasDefaultDelay = ({ delayDays }: ReminderForm) => delayDays.trim() === "";

/** Returns the problem of the typed days; null for a whole number in range, and for an empty field, which uses the default. */
export const delayProblem = (form: ReminderForm): UiText | null =>
  hasDefaultDelay(form) || isWholeNumber(form.delayDays, 1, REMINDER_MAX_DELAY_DAYS)
    ? null
    : msg`Whole days from 1 to ${{ most: REMINDER_MAX_DELAY_DAYS }}.`;

const draftOf = (form: ReminderForm): ReminderDraft => ({
  type: REMINDER_DEFAULT_TYPE,
  stage: form.stage,
  delay_days: hasDefaultDelay(form) ? REMINDER_DEFAULT_DELAY_DAYS : Number(form.delayDays),
  channel_id: form.channelId,
  template: form.template,
});

/** Reminder rules for leads stuck in a stage: a list that takes one change at a time, and the form for a new rule. */
export function createReminders(
  page: Page,
  {
    reminders = createRemindersGateway(page.http),
    stages = createStagesGateway(page.http),
    undoing = createReminderUndoing(page),
  }: RemindersParts = {},
) {
  /** The rules deleted during each running read, whose response may still list them. */
  const deletedDuringReads = new Set<Set<string>>();
  return setup({
    types: {
      context: {} as RemindersContext,
      events: {} as
        | ReadingEvent
        | { type: "form.change"; change: Partial<ReminderForm> }
        | { type: "form.submit" }
        | { type: "reminder.toggle"; id: string }
        | { type: "reminder.delete"; id: string },
    },
    actors: {
      fetchReminders: fromPromise<Reminder[], void>(async ({ signal }) => {
        const deleted = new Set<string>();
        deletedDuringReads.add(deleted);
        try {
          return (await reminders.list(signal)).filter(({ id }) => !deleted.has(id));
        } finally {
          deletedDuringReads.delete(deleted);
        }
      }),
      fetchStageNames: fetching(async (signal) => (await stages.list(signal)).flatMap(({ name }) => name || [])),
      addReminder: writing(page, reminders.add, { done: msg`Reminder added.`, failed: ADD_FAILED }),
      toggleReminder: writing(page, reminders.setEnabled, { failed: TOGGLE_FAILED }),
      deleteReminder: writing(
        page,
        async (input: { id: string }) => {
          await reminders.remove(input);
          deletedDuringReads.forEach((deleted) => deleted.add(input.id));
          undoing.offer(input.id);
        },
        { failed: DELETE_FAILED },
      ),
      showAlert: alerting(page.notifier),
      watchRestored: watchingReturns((listener) => undoing.onRestored(listener)),
      watchReturns: watchingReturns(),
    },
    actions: {
      storeReminders: assign((_, listed: Reminder[]) => ({ reminders: listed })),
      storeStageNames: assign((_, stageNames: string[]) => ({ stageNames })),
      storeForm: assign(({ context }, params: { change: Partial<ReminderForm> }) => ({
        form: { ...context.form, ...params.change },
        refusal: null,
      })),
      resetForm: assign(() => ({ form: blankForm(), refusal: null })),
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
            message: failureMessage(params.error, params.text),
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
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isListed: ({ context }, params: { id: string }) => context.reminders.some(({ id }) => id === params.id),
      isDelayValid: ({ context }) => delayProblem(context.form) === null,
    },
  }).createMachine({
    id: "reminders",
    context: () => ({
      reminders: [],
      stageNames: [],
      form: blankForm(),
      refusal: null,
      activeId: null,
      problem: null,
    }),
    type: "parallel",
    invoke: [
      { id: "watchRestored", src: "watchRestored" },
      { id: "watchReturns", src: "watchReturns" },
    ],
    states: {
      list: loadRegion({ src: "fetchReminders", store: "storeReminders", what: msg`the reminders` }),
      rule: {
        initial: "resting",
        states: {
          resting: {
            entry: "forgetActive",
            on: {
              "reminder.toggle": {
                guard: withEvent("isListed"),
                target: "toggling",
                actions: withEvent("storeActive"),
              },
              "reminder.delete": {
                guard: withEvent("isListed"),
                target: "deleting",
                actions: withEvent("storeActive"),
              },
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
          ...initialLoad({
            src: "fetchStageNames",
            store: "storeStageNames",
            what: msg`the stage names`,
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
              "form.submit": { guard: "isDelayValid", target: "adding" },
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
          alerting: alertState({ message: msg`Error adding reminder` }, "awaitingRule"),
        },
      },
    },
  });
}

export const Reminders = createChart<typeof createReminders>("reminders");
