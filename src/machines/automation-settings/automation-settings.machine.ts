import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import type { UserSettings } from "../../../domain/settings.ts";
import { placeholderActors } from "./automation-settings.actors.ts";
import { DEFAULT_FORM, type SettingsForm, formOf, hourProblem, updateOf } from "./automation-settings.form.ts";

const ignore = () => {};
const unreported: (_: unknown, params: { what: string; error: unknown }) => void = () => {};

/** Whether follow-ups go out by themselves, and in which hours. Settings that cannot be read show their defaults. */
export const automationSettingsMachine = setup({
  types: {
    context: {} as { form: SettingsForm },
    events: {} as { type: "settings.change"; change: Partial<SettingsForm> } | { type: "settings.save" },
  },
  actors: placeholderActors,
  actions: {
    storeSettings: assign((_, params: { settings: UserSettings }) => ({ form: formOf(params.settings) })),
    storeEdit: assign(({ context }, params: { change: Partial<SettingsForm> }) => ({
      form: { ...context.form, ...params.change },
    })),
    announceSaved: ignore,
    reportFailure: unreported,
  },
  guards: {
    areHoursValid: ({ context }) =>
      hourProblem(context.form.startHour) === null && hourProblem(context.form.endHour) === null,
  },
}).createMachine({
  id: "automationSettings",
  context: { form: DEFAULT_FORM },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        id: "fetchSettings",
        src: "fetchSettings",
        onDone: {
          target: "editable",
          actions: { type: "storeSettings", params: ({ event }) => ({ settings: event.output }) },
        },
        onError: {
          target: "editable",
          actions: {
            type: "reportFailure",
            params: ({ event }) => ({ what: "settings were not read", error: event.error }),
          },
        },
      },
    },
    editable: {
      on: {
        "settings.change": { actions: { type: "storeEdit", params: ({ event }) => event } },
        "settings.save": { guard: "areHoursValid", target: "saving" },
      },
    },
    saving: {
      invoke: {
        id: "saveSettings",
        src: "saveSettings",
        input: ({ context }) => updateOf(context.form),
        onDone: { target: "editable", actions: "announceSaved" },
        onError: {
          target: "editable",
          actions: {
            type: "reportFailure",
            params: ({ event }) => ({ what: "settings were not saved", error: event.error }),
          },
        },
      },
    },
  },
});

export type AutomationSettingsRef = ActorRefFrom<typeof automationSettingsMachine>;
export type AutomationSettingsSnapshot = SnapshotFrom<typeof automationSettingsMachine>;
