import * as v from "valibot";
import { readJson } from "../../../domain/read-json.ts";
import { Stage } from "../../../domain/stage.ts";
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

/** The typed rows as one text; empty when nothing is typed. */
export const draftOf = (rows: readonly StageRow[]): string => (rows.some(isEdited) ? JSON.stringify(rows) : "");

/** The rows of such a text; none where it is damaged. */
export const rowsOfDraft = (text: string): StageRow[] => readJson(Rows, text) ?? [];

/** What is still unsaved of a draft once the server has taken these rows. */
export const draftAfter = (text: string, saved: SaveOutcome["saved"]): string =>
  draftOf(
    rowsOfDraft(text).map((row) => {
      const taken = saved.find(({ key }) => key === row.key);
      return taken ? rowAsSaved(row, taken.id) : row;
    }),
  );
