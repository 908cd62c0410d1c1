import { createReporter } from "../kit/reporting.ts";
import { SAVED, type SettingsDeps, createSettingsActors } from "./settings.actors.ts";
import { settingsMachine } from "./settings.machine.ts";

/** The person's settings over a gateway. */
export const createSettings = (deps: SettingsDeps) =>
  settingsMachine.provide({
    actors: createSettingsActors(deps),
    actions: { announceSaved: () => deps.notifier.toast(SAVED), reportFailure: createReporter(deps.logger) },
  });

export type { SettingsDeps } from "./settings.actors.ts";
export { SettingsProvider, useCanSettings, useSettings, useSettingsEvents } from "./settings.context.tsx";
export { withDay } from "./settings.form.ts";
export { settingsMachine } from "./settings.machine.ts";
export * from "./settings.selectors.ts";
