import * as v from "valibot";
import { readJson } from "../../../domain/read-json.ts";
import { type FollowupChange, type TypedFollowup, asSaved, isEdited } from "./followups.rows.ts";

const Said = { message: v.string(), delay: v.string() };
const Edits = v.array(
  v.object({ id: v.string(), ...Said, saved: v.object(Said), isConflict: v.optional(v.boolean()) }),
);

/** What is typed on the follow-ups as one text; empty when nothing is. */
export function draftOf(rows: readonly TypedFollowup[]): string {
  const edits = rows
    .filter(isEdited)
    .map(({ id, message, delay, saved, isConflict }) => ({ id, message, delay, saved, isConflict }));
  return edits.length === 0 ? "" : JSON.stringify(edits);
}

/** What such a text tells; nothing where it is damaged. */
export const editsOfDraft = (text: string): TypedFollowup[] => readJson(Edits, text) ?? [];

/** What is still unsaved of a draft once the server has taken these changes. */
export const draftAfter = (text: string, saved: readonly FollowupChange[]): string =>
  draftOf(
    editsOfDraft(text).map((edit) => {
      const change = saved.find(({ id }) => id === edit.id);
      return change ? asSaved(edit, change) : edit;
    }),
  );
