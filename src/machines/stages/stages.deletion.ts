import type { Stage } from "../../../domain/stage.ts";
import { sortStages } from "../../../domain/stage.ts";
import { leadsText, listText } from "../../language/format.ts";
import type { StageRow } from "./stages.rows.ts";

const DELETE_QUESTION = "Are you sure you want to delete this stage?";

/** A stage to delete, and the one that its leads move to; null where there is no other. */
export type DeletionPlan = { message: string; stage: Stage | null; target: Stage | null };
/** What deleting a stage touches. Null where it could not be read. */
export type DeletionEffects = { leads: number | null; views: readonly string[] | null };

/** The question, with the stage as it is saved: edits on the screen do not change where leads go. */
export function planOf(rows: readonly StageRow[], id: string | null): DeletionPlan {
  const saved = sortStages(rows.flatMap((row) => row.saved ?? []));
  const target = saved.find((stage) => stage.id !== id) ?? null;
  return { message: DELETE_QUESTION, stage: saved.find((stage) => stage.id === id) ?? null, target };
}

const quoted = (names: readonly string[]): string => listText(names.map((name) => `“${name}”`));

/** What the question says below its sentence, one fact a line. */
export function describeDeletion({ stage, target }: DeletionPlan, { leads, views }: DeletionEffects): string {
  const lines = [`Stage: ${stage?.name ?? "without a name"}.`];
  if (leads === 0) lines.push("It has no leads.");
  else if (target === null) lines.push("It is the last stage. While it has leads, it cannot be deleted.");
  else {
    const who = leads === null ? "Its leads" : `Its ${leadsText(leads)}`;
    const [move, are, them] = leads === 1 ? ["moves", "is", "it"] : ["move", "are", "them"];
    lines.push(
      `${who} ${move} to “${target.name ?? ""}” and ${are} held there: nothing goes out until you resume or move ${them}.`,
    );
  }
  if (leads === null) lines.push("The number of its leads could not be loaded.");
  if (views !== null && views.length > 0) {
    const [verb, own] = views.length === 1 ? ["keeps", "its"] : ["keep", "their"];
    lines.push(
      `The saved ${views.length === 1 ? "view" : "views"} ${quoted(views)} ${verb} ${own} filter on this stage and will show no leads.`,
    );
  }
  lines.push("You can undo this for 30 seconds.");
  return lines.join("\n");
}
