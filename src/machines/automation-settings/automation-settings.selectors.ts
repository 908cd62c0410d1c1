import type { AutomationSettingsSnapshot } from "./automation-settings.machine.ts";

export const selectForm = (settings: AutomationSettingsSnapshot) => settings.context.form;
export const selectProblem = (settings: AutomationSettingsSnapshot) => settings.context.problem;
export const selectIsLoading = (settings: AutomationSettingsSnapshot) => settings.hasTag("loading");
export const selectIsSaving = (settings: AutomationSettingsSnapshot) => settings.matches("saving");
