import { type SnapshotFrom, assign, setup } from "xstate";
import type { UserSettings } from "../../../domain/settings.ts";
import { type Version, isContested, mergingSettings } from "../kit/conflict.ts";
import { withEvent } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, firstReading, shownReading } from "../kit/reading.ts";
import { failed, isStaleError, problemOf } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { SAVE_FAILED, placeholderActors } from "./automation-settings.actors.ts";
import {
  DEFAULT_FORM,
  type SettingsForm,
  formOf,
  hourProblem,
  isSameForm,
  updateOf,
  withTyped,
} from "./automation-settings.form.ts";

const settingsReading = { src: "fetchSettings", store: "storeSettings", what: "the automation settings" } as const;
const shown = shownReading(settingsReading);

/**
 * Whether follow-ups go out by themselves, and in which hours; what others saved comes in when the page returns, and
 * never under an edit. Settings that could not be read are never shown nor
 * saved over.
 */
export const automationSettingsMachine = setup({
  types: {
    context: {} as {
      form: SettingsForm;
      saved: SettingsForm;
      problem: string | null;
      /** A field was changed elsewhere too; the user has not chosen a version yet. */
      isConflict: boolean;
    },
    events: {} as
      | ReadingEvent
      | { type: "settings.change"; change: Partial<SettingsForm> }
      | { type: "settings.choose"; version: Version }
      | { type: "settings.save" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeSettings: assign(({ context: { form, saved, problem, isConflict } }, settings: UserSettings) => {
      const answered = formOf(settings);
      const merged = withTyped(answered, { form, saved });
      // What was saved without an answer is no problem any more.
      const isSaved = isSameForm(answered, merged);
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
    })),
    storeEdit: assign(({ context }, params: { change: Partial<SettingsForm> }) => ({
      form: { ...context.form, ...params.change },
    })),
    keepSaved: assign(({ context }) => ({ saved: context.form })),
    storeProblem: assign(problemOf),
    forgetProblem: assign({ problem: null }),
    announceSaved: () => {},
    reportFailure: unreported,
  },
  guards: {
    canSave: ({ context }) =>
      !context.isConflict && hourProblem(context.form.startHour) === null && hourProblem(context.form.endHour) === null,
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

export type AutomationSettingsSnapshot = SnapshotFrom<typeof automationSettingsMachine>;
