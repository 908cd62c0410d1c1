import { type SnippetsSnapshot, hasFile } from "./snippets.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

export const selectSnippets = (chart: SnippetsSnapshot) => chart.context.snippets;
export const selectIsLoading = (chart: SnippetsSnapshot) => chart.matches({ list: "loading" });
export const selectIsShown = (chart: SnippetsSnapshot) => chart.matches({ list: "shown" });
export const selectIsEditing = (chart: SnippetsSnapshot) =>
  chart.matches({ work: "editing" }) || chart.matches({ work: "saving" });
export const selectIsSaving = (chart: SnippetsSnapshot) => chart.matches({ work: "saving" });
export const selectForm = (chart: SnippetsSnapshot) => chart.context.form;
export const selectActive = (chart: SnippetsSnapshot) => chart.context.active;
export const selectProblem = (chart: SnippetsSnapshot) => chart.context.problem;
export const selectRefused = (chart: SnippetsSnapshot) => chart.context.refused;
export const selectHasFile = (chart: SnippetsSnapshot) => hasFile(chart.context);
