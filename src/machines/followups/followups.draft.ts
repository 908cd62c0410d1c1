import * as v from "valibot";
import { type Drafts, jsonText } from "../../services/drafts.ts";
import type { FollowupChange } from "../../services/followups.ts";
import { type TypedFollowup, asSaved, isEdited } from "./followups.rows.ts";

const typedEntries = { message: v.string(), delay: v.string() };
const Edits = v.array(
  v.object({ id: v.string(), ...typedEntries, saved: v.object(typedEntries), isConflict: v.optional(v.boolean()) }),
);

/** The unsaved edits of follow-ups. */
export const editsDraft = (drafts: Drafts) => drafts.of("followup edits", { edits: jsonText(Edits) });
export const NO_EDITS = { edits: "" };

/** The unsaved edits as text; empty if there are none. */
export function draftOf(rows: readonly TypedFollowup[]): string {
  const edits = rows
    .filter(isEdited)
    .map(({ id, message, delay, saved, isConflict }) => ({ id, message, delay, saved, isConflict }));
  return edits.length === 0 ? "" : JSON.stringify(edits);
}

/** Removes saved changes from the draft. */
export function settleDraft(drafts: Drafts, saved: readonly FollowupChange[]): void {
  const draft = editsDraft(drafts);
  const edits = draft.read()?.edits ?? [];
  const left = edits.map((edit) => {
    const change = saved.find(({ id }) => id === edit.id);
    return change ? asSaved(edit, change) : edit;
  });
  draft.write({ edits: draftOf(left) }, NO_EDITS);
}
