import type { RemindersSnapshot } from "./reminders.machine.ts";

export const selectReminders = (rules: RemindersSnapshot) => rules.context.reminders;
export const selectStageNames = (rules: RemindersSnapshot) => rules.context.stageNames;
export const selectForm = (rules: RemindersSnapshot) => rules.context.form;
export const selectRefusal = (rules: RemindersSnapshot) => rules.context.refusal;
export const selectActiveId = (rules: RemindersSnapshot) => rules.context.activeId;
export const selectProblem = (rules: RemindersSnapshot) => rules.context.problem;
export const selectIsLoading = (rules: RemindersSnapshot) =>
  rules.matches({ list: "loading" }) || rules.matches({ list: { shown: "refreshing" } });
export const selectIsUnread = (rules: RemindersSnapshot) => rules.matches({ list: "unread" });
export const selectIsOutdated = (rules: RemindersSnapshot) => rules.matches({ list: { shown: "outdated" } });
export const selectAreNamesUnread = (rules: RemindersSnapshot) => rules.matches({ suggestions: "unread" });
export const selectIsAdding = (rules: RemindersSnapshot) => rules.matches({ form: "adding" });
