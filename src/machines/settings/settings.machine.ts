import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Settings, SettingsPatch } from "../../../domain/settings.ts";
import { createSettingsGateway } from "../../services/settings.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
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
import {
  BLANK_FORM,
  type FieldProblems,
  type SettingsForm,
  formOf,
  patchOf,
  problemsOf,
  refusedIn,
} from "./settings.form.ts";

type SettingsParts = {
  settings?: {
    read: (signal: AbortSignal) => Promise<Settings>;
    /** Saves the changes; resolves to the current settings. */
    save: (patch: SettingsPatch) => Promise<Settings>;
  };
};

type SettingsContext = {
  form: SettingsForm;
  saved: SettingsForm;
  /** Why the last save failed, and which fields the server refused. */
  problem: UiTextOrString | null;
  refused: FieldProblems;
  /** The same field was changed elsewhere; the user has not chosen a version yet. */
  isConflict: boolean;
};

const SAVED = msg`Settings saved.`;
const SAVE_FAILED: FailureText = {
  refused: msg`The settings were not saved. Try again.`,
  unknown: msg`The settings may have been saved. What you typed is kept: try again.`,
};

const settingsReading = { src: "fetchSettings", store: "storeSettings", what: msg`the settings` } as const;
const shown = refreshable(settingsReading);

/**
 * The time zone and days in which automation may send, and the words by which leads opt out. Settings that failed to load are neither
 * shown nor overwritten. Changes from other tabs replace what is shown, except edited fields.
 */
export const createSettings = (page: Page, { settings = createSettingsGateway(page.http) }: SettingsParts = {}) =>
  setup({
    types: {
      context: {} as SettingsContext,
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
      storeSettings: assign(({ context }, stored: Settings) => withSettings(context, formOf(stored))),
      chooseVersion: assign(({ context: { form, saved } }, params: { version: Version }) => ({
        form: params.version === "saved" ? saved : form,
        isConflict: false,
        problem: null,
        refused: {},
      })),
      storeEdit: assign(({ context }, params: { change: Partial<SettingsForm> }) => ({
        form: { ...context.form, ...params.change },
        problem: null,
        refused: {},
      })),
      storeSaved: assign((_, stored: Settings) => ({
        form: formOf(stored),
        saved: formOf(stored),
        problem: null,
        refused: {},
        isConflict: false,
      })),
      storeProblem: assign((_, refusal: { error: unknown; text: FailureText }) => ({
        ...problemOf(null, refusal),
        refused: refusedIn(refusal.error),
      })),
      announceSaved: () => page.notifier.toast(SAVED),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isStale: isStaleError,
      isConflict: ({ context }) => context.isConflict,
      isSaved: ({ context: { form, saved } }) => isSameForm(form, saved),
      canSave: ({ context: { form, saved, isConflict } }) =>
        !isConflict && !isSameForm(form, saved) && Object.keys(problemsOf(form, saved)).length === 0,
    },
  }).createMachine({
    id: "settings",
    context: { form: BLANK_FORM, saved: BLANK_FORM, problem: null, refused: {}, isConflict: false },
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
        invoke: {
          id: "saveSettings",
          src: "saveSettings",
          input: ({ context: { form, saved } }) => patchOf(form, saved),
          onDone: { target: "editable", actions: [withOutput("storeSaved"), "announceSaved"] },
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

export const SettingsChart = createChart<typeof createSettings>("settings");

type SettingsSnapshot = SnapshotFrom<typeof createSettings>;

export const selectIsSaving = (chart: SettingsSnapshot): boolean => chart.matches("saving") || chart.matches("merging");
export const selectTyped = (chart: SettingsSnapshot): SettingsForm | null =>
  chart.matches("editable") ? chart.context.form : null;
export const selectIsEdited = ({ context: { form, saved } }: SettingsSnapshot): boolean => !isSameForm(form, saved);
export const selectAreHoursEdited = ({ context: { form, saved } }: SettingsSnapshot): boolean =>
  form.timeZone !== saved.timeZone || form.weekdays !== saved.weekdays;
