import { createReporter } from "../kit/reporting.ts";
import { type AutomationSettingsDeps, SAVED, createAutomationSettingsActors } from "./automation-settings.actors.ts";
import { automationSettingsMachine } from "./automation-settings.machine.ts";

/** The automation's settings over a gateway. */
export const createAutomationSettings = (deps: AutomationSettingsDeps) =>
  automationSettingsMachine.provide({
    actors: createAutomationSettingsActors(deps),
    actions: {
      announceSaved: () => deps.notifier.toast(SAVED),
      reportFailure: createReporter(deps.logger),
    },
  });

export type { AutomationSettingsDeps, SettingsGateway } from "./automation-settings.actors.ts";
export {
  AutomationSettingsProvider,
  useAutomationSettings,
  useAutomationSettingsEvents,
  useCanAutomationSettings,
} from "./automation-settings.context.tsx";
export { type SettingsForm, describeWindow, hourProblem, hoursHere, inForce } from "./automation-settings.form.ts";
export { automationSettingsMachine } from "./automation-settings.machine.ts";
export {
  selectForm as selectSettingsForm,
  selectIsConflict as selectIsSettingsConflict,
  selectIsLoading as selectAreSettingsLoading,
  selectIsSaving as selectAreSettingsSaving,
  selectIsSwitchUnsaved,
  selectProblem as selectSettingsProblem,
  selectSaved as selectSavedSettings,
  selectTyped as selectTypedSettings,
} from "./automation-settings.selectors.ts";
