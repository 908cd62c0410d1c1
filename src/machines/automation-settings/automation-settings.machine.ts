import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { UserSettings } from "../../../domain/settings.ts";
import { createAutomationSettingsGateway } from "../../services/automation-settings.ts";
import { createChart, withEvent } from "../kit/chart.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { refreshable, refreshableLoad, watchingReturns } from "../kit/refreshing.ts";
import {
  type FailureText,
  type Version,
  failed,
  isSameForm,
  isStaleError,
  mergingSettings,
  problemOf,
  withSettings,
  writing,
} from "../kit/writing.ts";
import { DEFAULT_FORM, type SettingsForm, formOf, hourProblem, updateOf } from "./automation-settings.form.ts";

type AutomationSettingsParts = {
  settings?: Pick<ReturnType<typeof createAutomationSettingsGateway>, "read" | "save">;
};

const SAVED = msg`Settings saved.`;
const SAVE_FAILED: FailureText = {
  refused: msg`The settings were not saved.`,
  unknown: msg`The settings may have been saved.`,
};

const settingsReading = { src: "fetchSettings", store: "storeSettings", what: msg`the automation settings` } as const;
const shown = refreshable(settingsReading);

/**
 * Whether follow-ups are sent automatically, and in which hours. Settings that failed to load are neither shown nor overwritten. Changes
 * from other tabs replace what is shown, except edited fields.
 */
export const createAutomationSettings = (
  page: Page,
  { settings = createAutomationSettingsGateway(page.http) }: AutomationSettingsParts = {},
) =>
  setup({
    types: {
      context: {} as {
        form: SettingsForm;
        saved: SettingsForm;
        problem: UiTextOrString | null;
        /** The same field was changed elsewhere; the user has not chosen a version yet. */
        isConflict: boolean;
      },
      events: {} as
        | ReadingEvent
        | { type: "settings.change"; change: Partial<SettingsForm> }
        | { type: "settings.choose"; version: Version }
        | { type: "settings.save" },
      tags: {} as ReadingTag,
    },
    actors: {
      fetchSettings: fetching(settings.read),
      saveSettings: writing(page, settings.save, { done: SAVED, failed: SAVE_FAILED }),
      watchReturns: watchingReturns(),
    },
    actions: {
      storeSettings: assign(({ context }, stored: UserSettings) => withSettings(context, formOf(stored))),
      chooseVersion: assign(({ context: { form, saved } }, params: { version: Version }) => ({
        form: params.version === "saved" ? saved : form,
        isConflict: false,
      })),
      storeEdit: assign(({ context }, params: { change: Partial<SettingsForm> }) => ({
        form: { ...context.form, ...params.change },
      })),
      keepSaved: assign(({ context }) => ({ saved: context.form })),
      storeProblem: assign(problemOf),
      forgetProblem: assign({ problem: null }),
      announceSaved: () => page.notifier.toast(SAVED),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      canSave: ({ context }) =>
        !context.isConflict &&
        hourProblem(context.form.startHour) === null &&
        hourProblem(context.form.endHour) === null,
      isStale: isStaleError,
      isConflict: ({ context }) => context.isConflict,
      isSaved: ({ context: { form, saved } }) => isSameForm(form, saved),
    },
  }).createMachine({
    id: "automationSettings",
    context: { form: DEFAULT_FORM, saved: DEFAULT_FORM, problem: null, isConflict: false },
    invoke: { id: "watchReturns", src: "watchReturns" },
    initial: "loading",
    states: {
      ...refreshableLoad({ ...settingsReading, shown: "editable" }),
      editable: {
        ...shown,
        on: {
          ...shown.on,
          "settings.change": { actions: withEvent("storeEdit") },
          "settings.choose": { guard: "isConflict", actions: withEvent("chooseVersion") },
          "settings.save": { guard: "canSave", target: "saving" },
        },
      },
      saving: {
        entry: "forgetProblem",
        invoke: {
          id: "saveSettings",
          src: "saveSettings",
          input: ({ context }) => updateOf(context.form),
          onDone: { target: "editable", actions: ["keepSaved", "announceSaved"] },
          onError: [
            {
              guard: withEvent("isStale"),
              target: "merging",
              actions: reportFailure("the settings were changed elsewhere"),
            },
            { target: "editable.refreshing", actions: failed(SAVE_FAILED, "the settings were not saved") },
          ],
        },
      },
      ...mergingSettings(SAVE_FAILED),
    },
  });

export const AutomationSettings = createChart<typeof createAutomationSettings>("automation settings");

type AutomationSettingsSnapshot = SnapshotFrom<typeof createAutomationSettings>;

export const selectIsSaving = (chart: AutomationSettingsSnapshot): boolean =>
  chart.matches("saving") || chart.matches("merging");
export const selectTyped = (chart: AutomationSettingsSnapshot): SettingsForm | null =>
  chart.matches("editable") ? chart.context.form : null;
/** Whether the switch differs from the saved value. */
export const selectIsSwitchUnsaved = ({ context: { form, saved } }: AutomationSettingsSnapshot): boolean =>
  form.isEnabled !== saved.isEnabled;
