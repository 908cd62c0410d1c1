import { msg, plural } from "@lingui/core/runtime-macro";
import type { Stage } from "../../../domain/stage.ts";
import { sortStages } from "../../../domain/stage.ts";
import type { UiText } from "../../../domain/ui-text.ts";
import { listText } from "../../language/format.ts";
import type { StageRow } from "./stages.rows.ts";

const DELETE_QUESTION = msg`Are you sure you want to delete this stage?`;

/** A stage to delete, and the one that its leads move to; null if there is no other. */
export type DeletionPlan = { message: UiText; stage: Stage | null; target: Stage | null };
/** What deleting a stage affects. Null if it could not be read. */
export type DeletionEffects = { leads: number | null; views: readonly string[] | null };

/** Uses the saved order: unsaved edits do not change where leads go. */
export function planOf(rows: readonly StageRow[], id: string | null): DeletionPlan {
  const saved = sortStages(rows.flatMap((row) => row.saved ?? []));
  const target = saved.find((stage) => stage.id !== id) ?? null;
  return { message: DELETE_QUESTION, stage: saved.find((stage) => stage.id === id) ?? null, target };
}

const leadsLine = (leads: number | null, target: Stage | null): UiText => {
  if (leads === 0) return msg`It has no leads.`;
  if (target === null) return msg`It is the last stage. While it has leads, it cannot be deleted.`;
  const stage = target.name ?? "";
  return leads === null
    ? msg`Its leads move to “${{ stage }}” and are held there: nothing is sent until you resume or move them.`
    : msg`${plural(
        { leads },
        {
          one: msg`Its # lead moves to “${{ stage }}” and is held there: nothing is sent until you resume or move it.`,
          other: msg`Its # leads move to “${{ stage }}” and are held there: nothing is sent until you resume or move them.`,
        },
      )}`;
};

const viewsLine = (names: readonly string[]): UiText => {
  const count = names.length;
  const views = listText(names.map((name) => `“${name}”`));
  return msg`${plural(
    { count },
    {
      one: msg`The saved view ${{ views }} keeps its filter on this stage and will show no leads.`,
      other: msg`The saved views ${{ views }} keep their filter on this stage and will show no leads.`,
    },
  )}`;
};

/** Returns the question with the effects of the deletion, one per line. */
export function deletionQuestion({ message, stage, target }: DeletionPlan, { leads, views }: DeletionEffects): UiText {
  const facts = [
    stage?.name == null ? msg`Stage: without a name.` : msg`Stage: ${{ name: stage.name }}.`,
    leadsLine(leads, target),
    ...(leads === null ? [msg`The number of its leads could not be loaded.`] : []),
    ...(views !== null && views.length > 0 ? [viewsLine(views)] : []),
    msg`You can undo this for 30 seconds.`,
  ].reduce((above, below) => msg`${{ above }}\n${{ below }}`);
  return msg`${{ question: message }}\n\n${{ facts }}`;
}
