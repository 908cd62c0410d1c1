import { isCopied } from "../kit/revealing.ts";
import type { ApiKeySnapshot } from "./api-key.machine.ts";

export { selectOutdated, selectUnread } from "../kit/reading.ts";

export const selectKeys = (chart: ApiKeySnapshot) => chart.context.keys;
export const selectIsLoading = (chart: ApiKeySnapshot) => chart.matches({ list: "loading" });
export const selectIsShown = (chart: ApiKeySnapshot) => chart.matches({ list: "shown" });
export const selectIsEditing = (chart: ApiKeySnapshot) =>
  chart.matches({ work: "editing" }) || chart.matches({ work: "creating" });
export const selectIsCreating = (chart: ApiKeySnapshot) => chart.matches({ work: "creating" });
export const selectForm = (chart: ApiKeySnapshot) => chart.context.form;
/** The one that is being revoked, from the question on. */
export const selectActive = (chart: ApiKeySnapshot) => chart.context.active;
/** The new key while its secret is shown; null otherwise. */
export const selectMade = (chart: ApiKeySnapshot) => chart.context.made;
export const selectCopied = (chart: ApiKeySnapshot) => chart.context.copied;
export const selectOrigin = (chart: ApiKeySnapshot) => chart.context.origin;
export const selectProblem = (chart: ApiKeySnapshot) => chart.context.problem;
export const selectRefused = (chart: ApiKeySnapshot) => chart.context.refused;
/** Whether nothing is lost with the chart: no secret is shown, or it is in the clipboard. */
export const selectIsKept = ({ context }: ApiKeySnapshot) => context.made === null || isCopied(context);
