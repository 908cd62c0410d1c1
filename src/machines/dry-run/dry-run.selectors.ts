import type { DryRunSnapshot } from "./dry-run.machine.ts";

export { selectUnread } from "../kit/reading.ts";

/** Null while it is not known, and where the server knows no dry run. */
export const selectIsOn = (chart: DryRunSnapshot) => chart.context.isOn;
export const selectProblem = (chart: DryRunSnapshot) => chart.context.problem;
export const selectHeldBack = (chart: DryRunSnapshot) => chart.context.heldBack;
/** What stands on the screen of the way out: null while nobody leaves. */
export const selectReview = (chart: DryRunSnapshot): "reading" | "shown" | "unread" | "ending" | null => {
  if (chart.matches("reviewing")) return "reading";
  if (chart.matches("reviewed")) return "shown";
  if (chart.matches("unreviewed")) return "unread";
  return chart.matches("ending") ? "ending" : null;
};
export const selectIsLoading = (chart: DryRunSnapshot) => chart.matches("loading");
export const selectIsUnread = (chart: DryRunSnapshot) => chart.matches("unread");
export const selectIsStarting = (chart: DryRunSnapshot) => chart.matches("starting");
