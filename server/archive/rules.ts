import * as v from "valibot";
import { FieldCreate, FIELDS_MAX, readFieldValue, type FieldType } from "../../domain/field.ts";
import { keywordChars, KEYWORDS_TOTAL_MAX_CHARS } from "../../domain/keyword.ts";
import { FOLLOWUPS_MAX, REMINDERS_MAX, SNIPPETS_MAX, STAGES_MAX, TAGS_MAX } from "../../domain/limits.ts";
import { type RowProblem, rowProblem } from "../../domain/row-problems.ts";
import { readCoded } from "../../domain/coded.ts";
import { StageCreate } from "../../domain/stage.ts";
import { TagCreate } from "../../domain/tag.ts";
import { ViewCreate, VIEWS_MAX } from "../../domain/view.ts";
import { firstProblemOf } from "../core/field-problem.ts";
import type { PartName, Row } from "../owned-data/index.ts";

/** Limits per part, the same as in the app. */
const MOST: Partial<Record<PartName, number>> = {
  stages: STAGES_MAX,
  followups: FOLLOWUPS_MAX,
  tags: TAGS_MAX,
  fields: FIELDS_MAX,
  views: VIEWS_MAX,
  snippets: SNIPPETS_MAX,
  reminders: REMINDERS_MAX,
};

const json = (text: string | null | undefined): unknown => JSON.parse(text ?? "null");

/** The API's schemas for creating such items, and rows in their form. */
const CREATE_REQUESTS: Partial<Record<PartName, [v.GenericSchema, (row: Row) => unknown]>> = {
  stages: [
    StageCreate,
    ({ name, keywords, order, color }) => ({ name, keywords: json(keywords), order: Number(order), color }),
  ],
  tags: [TagCreate, ({ name, color }) => ({ name, color })],
  fields: [
    FieldCreate,
    ({ name, type, options, is_value: isValue }) => ({
      name,
      type,
      options: json(options),
      is_value: isValue === "true",
    }),
  ],
  views: [ViewCreate, ({ name, kind, query, columns }) => ({ name, kind, query, columns: json(columns) })],
};

/**
 * Creates the checks beyond single cells. They protect other users: keywords are compiled, and values are summed.
 * @returns a function that takes the rows in the order of the parts and returns a row's problem, or null
 */
export function createRules(): (part: PartName, row: Row, count: number) => RowProblem | null {
  const fields = new Map<string, FieldType>();
  let chars = 0;
  return (part, row, count) => {
    const most = MOST[part];
    if (most !== undefined && count > most) return rowProblem("too_many", { limit: most });
    const made = CREATE_REQUESTS[part];
    if (made !== undefined) {
      const result = v.safeParse(made[0], made[1](row));
      if (!result.success) {
        const { field: column, code, params } = firstProblemOf(result.issues);
        return rowProblem("cell", { column, code, params });
      }
    }
    if (part === "stages") chars += keywordChars(json(row["keywords"]) as string[]);
    if (chars > KEYWORDS_TOTAL_MAX_CHARS) return rowProblem("keywords_too_long");
    if (part === "fields") fields.set(row["id"] ?? "", row["type"] as FieldType);
    return part === "lead_fields" ? wrongValue(row, fields.get(row["field_id"] ?? "")) : null;
  };
}

function wrongValue({ text_value: text, number_value: number }: Row, type: FieldType | undefined): RowProblem | null {
  if (type === undefined) return rowProblem("field_unlisted");
  if ((type === "number") !== (typeof number === "string") || typeof number === typeof text)
    return rowProblem("other_value", { type, column: type === "number" ? "number_value" : "text_value" });
  if (typeof number !== "string") return null;
  const read = readFieldValue({ type: "number", options: null }, Number(number));
  return "problem" in read ? rowProblem("cell", { column: "number_value", ...readCoded(read.problem) }) : null;
}
