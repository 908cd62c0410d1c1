import type { AutomationSettingsSnapshot } from "./automation-settings.machine.ts";

export const selectForm = (settings: AutomationSettingsSnapshot) => settings.context.form;
export const selectProblem = (settings: AutomationSettingsSnapshot) => settings.context.problem;
export const selectIsLoading = (settings: AutomationSettingsSnapshot) => settings.hasTag("loading");
export const selectIsSaving = (settings: AutomationSettingsSnapshot) =>
  settings.matches("saving") || settings.matches("merging");
export const selectIsConflict = (settings: AutomationSettingsSnapshot) => settings.context.isConflict;
/** The form while it can be typed into; null before that. */
export const selectTyped = (settings: AutomationSettingsSnapshot) =>
  settings.matches("editable") ? settings.context.form : null;
export const selectSaved = (settings: AutomationSettingsSnapshot) => settings.context.saved;
/** Whether the switch shows something else than what is in force. */
export const selectIsSwitchUnsaved = ({ context: { form, saved } }: AutomationSettingsSnapshot) =>
  form.isEnabled !== saved.isEnabled;
