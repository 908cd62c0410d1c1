import type { RemindersSnapshot } from "./reminders.machine.ts";

export const selectReminders = (rules: RemindersSnapshot) => rules.context.reminders;
export const selectStageNames = (rules: RemindersSnapshot) => rules.context.stageNames;
export const selectForm = (rules: RemindersSnapshot) => rules.context.form;
export const selectRefusal = (rules: RemindersSnapshot) => rules.context.refusal;
export const selectActiveId = (rules: RemindersSnapshot) => rules.context.activeId;
export const selectIsLoading = (rules: RemindersSnapshot) => rules.matches({ list: "loading" });
export const selectHasFailed = (rules: RemindersSnapshot) => rules.matches({ list: "failed" });
export const selectIsListReady = (rules: RemindersSnapshot) => rules.matches({ list: "ready" });
export const selectIsAdding = (rules: RemindersSnapshot) => rules.matches({ form: "adding" });
export const selectCanEditForm = (rules: RemindersSnapshot) => rules.matches({ form: "awaitingRule" });
