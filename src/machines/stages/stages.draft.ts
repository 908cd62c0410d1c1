import * as v from "valibot";
import { Stage } from "../../../domain/stage.ts";
import { type Drafts, jsonText } from "../../services/drafts.ts";
import { type StageRow, isEdited, rowAsSaved } from "./stages.rows.ts";
import type { SaveOutcome } from "./stages.saving.ts";

const Rows = v.array(
  v.object({
    key: v.string(),
    id: v.nullable(v.string()),
    name: v.string(),
    keywords: v.string(),
    color: v.string(),
    order: v.nullable(v.number()),
    saved: v.nullable(Stage),
    conflict: v.optional(v.picklist(["changed", "deleted", "moved"])),
  }),
);

/** All rows, while some have unsaved edits. */
export const rowsDraft = (drafts: Drafts) => drafts.of("stages", { rows: jsonText(Rows) });
export const NO_EDITS = { rows: "" };

/** The edited rows as text; empty if there are no edits. */
export const draftOf = (rows: readonly StageRow[]): string => (rows.some(isEdited) ? JSON.stringify(rows) : "");

/** Removes saved rows from the draft. */
export function settleDraft(drafts: Drafts, saved: SaveOutcome["saved"]): void {
  const draft = rowsDraft(drafts);
  const rows = draft.read()?.rows ?? [];
  const left = rows.map((row) => {
    const taken = saved.find(({ key }) => key === row.key);
    return taken ? rowAsSaved(row, taken.id) : row;
  });
  draft.write({ rows: draftOf(left) }, NO_EDITS);
}
