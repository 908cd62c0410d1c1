import { type SnapshotFrom, assign, setup } from "xstate";
import type { Settings } from "../../../domain/settings.ts";
import { type Version, isContested, mergingSettings } from "../kit/conflict.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, firstReading, shownReading } from "../kit/reading.ts";
import { type FailureText, failed, isStaleError, problemOf } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { SAVE_FAILED, placeholderActors } from "./settings.actors.ts";
import {
  BLANK_FORM,
  type FieldProblems,
  type SettingsForm,
  formOf,
  patchOf,
  problemsOf,
  refusedIn,
  withTyped,
} from "./settings.form.ts";

type SettingsContext = {
  form: SettingsForm;
  saved: SettingsForm;
  /** why the last save did not come about, and which fields were refused */
  problem: string | null;
  refused: FieldProblems;
  /** A field was changed elsewhere too; the user has not chosen a version yet. */
  isConflict: boolean;
};

const settingsReading = { src: "fetchSettings", store: "storeSettings", what: "the settings" } as const;
const shown = shownReading(settingsReading);

/**
 * In whose hours and on which days automation may write, and which words end it for a person. What could not be read is never shown
 * nor saved over, and what others saved comes in, but never under an edit.
 */
export const settingsMachine = setup({
  types: {
    context: {} as SettingsContext,
    events: {} as
      | ReadingEvent
      | { type: "settings.change"; change: Partial<SettingsForm> }
      | { type: "settings.choose"; version: Version }
      | { type: "settings.save" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeSettings: assign(({ context: { form, saved, problem, isConflict } }, settings: Settings) => {
      const answered = formOf(settings);
      const merged = withTyped(answered, { form, saved });
      // What was saved without an answer is no problem any more.
      const isSaved = Object.keys(patchOf(merged, answered)).length === 0;
      return {
        form: merged,
        saved: answered,
        problem: isSaved ? null : problem,
        isConflict: !isSaved && (isConflict || isContested({ typed: form, was: saved, now: answered })),
      };
    }),
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
    storeSaved: assign((_, settings: Settings) => ({
      form: formOf(settings),
      saved: formOf(settings),
      problem: null,
      refused: {},
      isConflict: false,
    })),
    storeProblem: assign((_, refusal: { error: unknown; text: FailureText }) => ({
      ...problemOf(null, refusal),
      refused: refusedIn(refusal.error),
    })),
    announceSaved: () => {},
    reportFailure: unreported,
  },
  guards: {
    isStale: isStaleError,
    isConflict: ({ context }) => context.isConflict,
    isSaved: ({ context: { form, saved } }) => Object.keys(patchOf(form, saved)).length === 0,
    canSave: ({ context: { form, saved, isConflict } }) =>
      !isConflict && Object.keys(patchOf(form, saved)).length > 0 && Object.keys(problemsOf(form, saved)).length === 0,
  },
}).createMachine({
  id: "settings",
  context: { form: BLANK_FORM, saved: BLANK_FORM, problem: null, refused: {}, isConflict: false },
  invoke: { id: "watchReturns", src: "watchReturns" },
  initial: "loading",
  states: {
    ...firstReading({ ...settingsReading, shown: "editable" }),
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

export type SettingsSnapshot = SnapshotFrom<typeof settingsMachine>;
