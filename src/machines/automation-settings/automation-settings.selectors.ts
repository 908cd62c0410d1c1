import type { AutomationSettingsSnapshot } from "./automation-settings.machine.ts";

export const selectForm = (settings: AutomationSettingsSnapshot) => settings.context.form;
export const selectIsLoading = (settings: AutomationSettingsSnapshot) => settings.matches("loading");
export const selectIsSaving = (settings: AutomationSettingsSnapshot) => settings.matches("saving");
export const selectIsEditable = (settings: AutomationSettingsSnapshot) => settings.matches("editable");
