import { type AutomationSettingsDeps, createAutomationSettingsActors } from "./automation-settings.actors.ts";
import { automationSettingsMachine } from "./automation-settings.machine.ts";

/** The automation's settings over a gateway. */
export const createAutomationSettings = (deps: AutomationSettingsDeps) =>
  automationSettingsMachine.provide({
    actors: createAutomationSettingsActors(deps),
    actions: {
      announceSaved: () => deps.notifier.toast("Settings saved."),
      reportFailure: (_, { what, error }) => deps.logger.warn(what, error),
    },
  });

export type { AutomationSettingsDeps, SettingsGateway } from "./automation-settings.actors.ts";
export {
  AutomationSettingsProvider,
  useAutomationSettings,
  useAutomationSettingsEvents,
} from "./automation-settings.context.tsx";
export { type SettingsForm, describeWindow, hourProblem } from "./automation-settings.form.ts";
export { type AutomationSettingsSnapshot, automationSettingsMachine } from "./automation-settings.machine.ts";
export {
  selectForm as selectSettingsForm,
  selectIsEditable as selectAreSettingsEditable,
  selectIsLoading as selectAreSettingsLoading,
  selectIsSaving as selectAreSettingsSaving,
} from "./automation-settings.selectors.ts";
