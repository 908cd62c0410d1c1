import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import type { UserSettings } from "../../../domain/settings.ts";
import { withEvent } from "../kit/payload.ts";
import { type ReadingEvent, type ReadingTag, firstReading, shownReading } from "../kit/reading.ts";
import { failed, problemOf } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
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
    context: {} as { form: SettingsForm; saved: SettingsForm; problem: string | null },
    events: {} as ReadingEvent | { type: "settings.change"; change: Partial<SettingsForm> } | { type: "settings.save" },
    tags: {} as ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeSettings: assign(({ context: { form, saved, problem } }, settings: UserSettings) => {
      const answered = formOf(settings);
      const isSaved = isSameForm(answered, form);
      // What was saved without an answer is no problem any more.
      return { form: withTyped(answered, { form, saved }), saved: answered, problem: isSaved ? null : problem };
    }),
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
    areHoursValid: ({ context }) =>
      hourProblem(context.form.startHour) === null && hourProblem(context.form.endHour) === null,
  },
}).createMachine({
  id: "automationSettings",
  context: { form: DEFAULT_FORM, saved: DEFAULT_FORM, problem: null },
  invoke: { id: "watchReturns", src: "watchReturns" },
  initial: "loading",
  states: {
    ...firstReading({ ...settingsReading, shown: "editable" }),
    editable: {
      ...shown,
      on: {
        ...shown.on,
        "settings.change": { actions: withEvent("storeEdit") },
        "settings.save": { guard: "areHoursValid", target: "saving" },
      },
    },
    saving: {
      entry: "forgetProblem",
      invoke: {
        id: "saveSettings",
        src: "saveSettings",
        input: ({ context }) => updateOf(context.form),
        onDone: { target: "editable", actions: ["keepSaved", "announceSaved"] },
        onError: {
          target: "editable.refreshing",
          actions: failed(SAVE_FAILED, "the settings were not saved"),
        },
      },
    },
  },
});

export type AutomationSettingsRef = ActorRefFrom<typeof automationSettingsMachine>;
export type AutomationSettingsSnapshot = SnapshotFrom<typeof automationSettingsMachine>;
