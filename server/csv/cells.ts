import { unescapeCell, TAG_JOINER, type ImportMapping } from "../../domain/csv.ts";
import { readFieldValue, type Field } from "../../domain/field.ts";
import { NOTES_MAX_CHARS, TAGS_MAX } from "../../domain/limits.ts";
import { rowProblem } from "../../domain/row-problems.ts";
import { readCoded } from "../../domain/coded.ts";
import { fieldProblem } from "../../domain/schema-message.ts";
import { TAG_MAX_CHARS } from "../../domain/tag.ts";
import { wrongRow, type CsvRow } from "./records.ts";

export type OwnField = Pick<Field, "id" | "name" | "type" | "options">;

/** The values of a row; null changes nothing. */
export type RowValues = {
  row: number;
  telegram_user_id: string | null;
  username: string | null;
  notes: string | null;
  tags: string[] | null;
  fields: Record<string, string | number> | null;
};

/** Enough for all tags that an owner may have. */
const TAGS_MAX_CHARS = TAGS_MAX * (TAG_MAX_CHARS + TAG_JOINER.length);
const TELEGRAM_ID = /^[1-9]\d{0,17}$/;
const USERNAME = /^(?:(?:https?:\/\/)?t\.me\/|@)?([a-z0-9_]{1,64})$/i;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i;

type Column = { place: number; target: string; header: string };

/**
 * Finds the mapped columns in the header.
 * @throws ProblemError 422 for a column that is missing, appears twice or names an unknown field
 */
export function columnsOf({ cells }: CsvRow, mapping: ImportMapping, fields: readonly OwnField[]): Column[] {
  const headers = cells.map((cell) => unescapeCell(cell).trim());
  return Object.entries(mapping).map(([header, target]) => {
    const place = headers.indexOf(header.trim());
    if (place === -1) throw wrongRow(1, rowProblem("column_missing", { column: header }));
    if (headers.includes(header.trim(), place + 1)) throw wrongRow(1, rowProblem("column_twice", { column: header }));
    const id = target.startsWith("field.") ? target.slice("field.".length).toLowerCase() : null;
    if (id !== null && !fields.some((field) => field.id === id))
      throw wrongRow(1, rowProblem("column_of_gone_field", { column: header }));
    return { place, header, target: id === null ? target : `field.${id}` };
  });
}

/**
 * Reads a row's mapped cells. Removes the guard before a formula; skips empty cells.
 * @throws ProblemError 422 that names the row, the column and the problem
 */
export function readCells({ row, cells }: CsvRow, columns: readonly Column[], names: OwnNames): RowValues {
  const values: RowValues = { row, telegram_user_id: null, username: null, notes: null, tags: null, fields: null };
  for (const { place, target, header } of columns) {
    const cell = unescapeCell(cells[place] ?? "");
    if (cell.trim() === "") continue;
    const wrong = setCell(values, target, cell, names);
    if (wrong !== null) throw wrongRow(row, rowProblem("cell", { column: header, ...readCoded(wrong) }));
  }
  return values;
}

/** The fields by id, and the tags whose names contain the separator, in lower case. */
export type OwnNames = { fields: ReadonlyMap<string, OwnField>; tagsWithJoiner: ReadonlySet<string> };

/** Stores a cell in `values`. Returns its problem as a schema reports it, or null. */
function setCell(values: RowValues, target: string, cell: string, { fields, tagsWithJoiner }: OwnNames): string | null {
  if (target === "telegram_user_id") {
    if (!TELEGRAM_ID.test(cell.trim())) return fieldProblem("telegram_number");
    values.telegram_user_id = cell.trim();
  } else if (target === "username") {
    const name = USERNAME.exec(cell.trim())?.[1];
    if (name === undefined) return fieldProblem("username");
    values.username = name.toLowerCase();
  } else if (target === "notes") {
    if (cell.length > NOTES_MAX_CHARS) return fieldProblem("too_long_value", { limit: String(NOTES_MAX_CHARS) });
    values.notes = cell;
  } else if (target === "tags") {
    if (cell.length > TAGS_MAX_CHARS) return fieldProblem("too_long_value", { limit: String(TAGS_MAX_CHARS) });
    values.tags = tagsIn(cell, tagsWithJoiner);
    if (values.tags.some((name) => name.length > TAG_MAX_CHARS))
      return fieldProblem("tag_too_long", { limit: String(TAG_MAX_CHARS) });
  } else {
    const field = fields.get(target.slice("field.".length));
    if (field === undefined) return fieldProblem("field_unknown");
    const given = field.type === "number" && NUMBER.test(cell.trim()) ? Number(cell.trim()) : cell;
    const read = readFieldValue(field, given);
    if ("problem" in read) return read.problem;
    if (read.value !== null) values.fields = { ...values.fields, [field.id]: read.value };
  }
  return null;
}

/** Splits a cell into distinct tag names. Does not split the `known` names, which contain the separator. */
function tagsIn(cell: string, known: ReadonlySet<string>): string[] {
  const parts = cell.split(TAG_JOINER);
  const names = new Map<string, string>();
  for (let at = 0; at < parts.length;) {
    let joined = (parts[at] as string).trimStart();
    let name = joined.trim();
    let end = at + 1;
    for (let next = end; known.size > 0 && next < parts.length && joined.length <= TAG_MAX_CHARS; next += 1) {
      joined += TAG_JOINER + parts[next];
      if (known.has(joined.trim().toLowerCase())) [name, end] = [joined.trim(), next + 1];
    }
    if (name !== "") names.set(name.toLowerCase(), names.get(name.toLowerCase()) ?? name);
    at = end;
  }
  return [...names.values()];
}
