import { patchOf, problemsOf } from "./settings.form.ts";
import type { SettingsSnapshot } from "./settings.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

export const selectForm = (settings: SettingsSnapshot) => settings.context.form;
export const selectSaved = (settings: SettingsSnapshot) => settings.context.saved;
export const selectProblem = (settings: SettingsSnapshot) => settings.context.problem;
export const selectRefused = (settings: SettingsSnapshot) => settings.context.refused;
export const selectIsLoading = (settings: SettingsSnapshot) => settings.hasTag("loading");
export const selectIsSaving = (settings: SettingsSnapshot) => settings.matches("saving") || settings.matches("merging");
export const selectIsConflict = (settings: SettingsSnapshot) => settings.context.isConflict;
/** The form while it can be typed into; null otherwise. */
export const selectTyped = (settings: SettingsSnapshot) =>
  settings.matches("editable") ? settings.context.form : null;
export const isEdited = ({ context: { form, saved } }: SettingsSnapshot) =>
  Object.keys(patchOf(form, saved)).length > 0;
export const areHoursEdited = ({ context: { form, saved } }: SettingsSnapshot) =>
  form.timeZone !== saved.timeZone || form.weekdays !== saved.weekdays;
/** What is wrong with the fields as they stand. */
export const problemsIn = problemsOf;
