import type { OverdueFollowupsSnapshot } from "./overdue-followups.machine.ts";

export const selectOverdue = (overdue: OverdueFollowupsSnapshot) => overdue.context.overdue;
export const selectIsPlanning = (overdue: OverdueFollowupsSnapshot) => overdue.matches({ word: "planning" });
export const selectProblem = (overdue: OverdueFollowupsSnapshot) => overdue.context.problem;
