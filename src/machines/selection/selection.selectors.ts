import type { SelectionSnapshot } from "./selection.machine.ts";

export const selectCount = ({ context: { isAll, ids, shown } }: SelectionSnapshot) =>
  isAll ? shown.total : ids.length;
export const selectIsAll = (chart: SelectionSnapshot) => chart.context.isAll;
export const selectTotal = (chart: SelectionSnapshot) => chart.context.shown.total;
/** All leads of the page, some of them, or none. */
export const selectPageMark = (chart: SelectionSnapshot): "all" | "some" | "none" => {
  if (chart.matches({ picked: "allOnPage" }) || chart.context.isAll) return "all";
  const { ids, shown } = chart.context;
  return shown.ids.some((id) => ids.includes(id)) ? "some" : "none";
};
export const selectIsPicked = (chart: SelectionSnapshot, leadId: string) => chart.context.ids.includes(leadId);
export const selectIsBusy = (chart: SelectionSnapshot) => !chart.matches({ work: "resting" });
export const selectJob = (chart: SelectionSnapshot) => chart.context.job;
export const selectIsCancelling = (chart: SelectionSnapshot) => chart.matches({ work: { following: "cancelling" } });
export const selectProblem = (chart: SelectionSnapshot) => chart.context.problem;
/** Chosen one by one; of all that match only those of the page are known by name. */
export const selectIds = (chart: SelectionSnapshot) => chart.context.ids;
/** The query of all that match, where they are meant. */
export const selectQuery = ({ context: { isAll, shown } }: SelectionSnapshot): string | null =>
  isAll ? shown.query : null;
