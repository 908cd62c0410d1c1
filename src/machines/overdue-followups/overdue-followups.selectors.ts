import type { OverdueFollowupsSnapshot } from "./overdue-followups.machine.ts";

const SHOWN = ["awaitingWord", "awaitingConfirmation", "planning"] as const;

export const selectOverdue = (overdue: OverdueFollowupsSnapshot) => overdue.context.overdue;
export const selectIsShown = (overdue: OverdueFollowupsSnapshot) => SHOWN.some((state) => overdue.matches(state));
export const selectIsPlanning = (overdue: OverdueFollowupsSnapshot) => overdue.matches("planning");
export const selectProblem = (overdue: OverdueFollowupsSnapshot) => overdue.context.problem;
