import type { Stage } from "../../../domain/stage.ts";
import { type FollowupRow, rowsOfGroup } from "./followups.rows.ts";

export type FollowupGroup = { stageId: string | null; name: string; color: string | null; rows: FollowupRow[] };

/** Follow-ups by stage in the stages' order, then 'Unassigned'; groups without one are left out. */
export function groupsOf(rows: readonly FollowupRow[], stages: readonly Stage[]): FollowupGroup[] {
  const byStage = stages.map((stage) => ({
    stageId: stage.id,
    name: stage.name ?? "",
    color: stage.color,
    rows: rowsOfGroup(rows, stage.id),
  }));
  const unassigned = { stageId: null, name: "Unassigned", color: null, rows: rowsOfGroup(rows, null) };
  return [...byStage, unassigned].filter((group) => group.rows.length > 0);
}

/** Names of the stages in which nothing follows up yet. */
export const stagesWithoutFollowups = (rows: readonly FollowupRow[], stages: readonly Stage[]): string[] =>
  stages.filter((stage) => rowsOfGroup(rows, stage.id).length === 0).map((stage) => stage.name ?? "");
