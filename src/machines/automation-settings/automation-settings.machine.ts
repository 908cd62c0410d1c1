import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import { failureOf } from "../../../domain/problem.ts";
import type { UserSettings } from "../../../domain/settings.ts";
import { type ReadingEvent, firstReading } from "../kit/reading.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { NOT_SAVED, placeholderActors } from "./automation-settings.actors.ts";
import { DEFAULT_FORM, type SettingsForm, formOf, hourProblem, updateOf } from "./automation-settings.form.ts";

/**
 * Whether follow-ups go out by themselves, and in which hours. Settings that could not be read are never shown nor
 * saved over.
 */
export const automationSettingsMachine = setup({
  types: {
    context: {} as { form: SettingsForm; saved: SettingsForm; problem: string | null },
    events: {} as ReadingEvent | { type: "settings.change"; change: Partial<SettingsForm> } | { type: "settings.save" },
  },
  actors: placeholderActors,
  actions: {
    storeSettings: assign((_, settings: UserSettings) => ({ form: formOf(settings), saved: formOf(settings) })),
    storeEdit: assign(({ context }, params: { change: Partial<SettingsForm> }) => ({
      form: { ...context.form, ...params.change },
    })),
    keepSaved: assign(({ context }) => ({ saved: context.form })),
    storeProblem: assign((_, params: { error: unknown }) => ({
      problem: failureOf(params.error).message ?? NOT_SAVED,
    })),
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
  initial: "loading",
  states: {
    ...firstReading({
      src: "fetchSettings",
      store: "storeSettings",
      what: "the automation settings",
      shown: "editable",
    }),
    editable: {
      on: {
        "settings.change": { actions: { type: "storeEdit", params: ({ event }) => event } },
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
          target: "editable",
          actions: [
            { type: "storeProblem", params: ({ event }) => event },
            reportFailure("the settings were not saved"),
          ],
        },
      },
    },
  },
});

export type AutomationSettingsRef = ActorRefFrom<typeof automationSettingsMachine>;
export type AutomationSettingsSnapshot = SnapshotFrom<typeof automationSettingsMachine>;
