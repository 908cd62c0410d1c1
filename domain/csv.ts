import * as v from "valibot";
import { reasonEntries } from "./schema-parts.ts";
import { FIELD_KEY } from "./lead-filter.ts";
import { fieldProblem } from "./schema-message.ts";

/** A cell that a spreadsheet would treat as a formula, or that already looks escaped. */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Escapes a text for spreadsheets: a would-be formula gets a leading apostrophe. `unescapeCell` is the inverse. */
export const escapeCell = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
/** Removes the apostrophe again. */
export const unescapeCell = (cell: string): string =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;

/** Columns of an export before the custom fields. */
export const EXPORT_COLUMNS = [
  "id",
  "telegram_user_id",
  "name",
  "username",
  "stage",
  "notes",
  "tags",
  "created_at",
  "last_message_at",
] as const;
/** The separator of tags in a cell. */
export const TAG_JOINER = ";";

const IMPORT_TARGETS = ["telegram_user_id", "username", "notes", "tags"] as const;
const COLUMNS_MAX = 500;

/** Maps a file's columns to targets, by header: `telegram_user_id username notes tags field.<id>`. */
export const ImportMapping = v.pipe(
  v.record(
    v.string(),
    v.pipe(
      v.string(),
      v.check(
        (target) => (IMPORT_TARGETS as readonly string[]).includes(target) || FIELD_KEY.test(target),
        fieldProblem("listed", { choices: [...IMPORT_TARGETS, "field.<id>"] }),
      ),
    ),
  ),
  v.check((mapping) => Object.keys(mapping).length <= COLUMNS_MAX, fieldProblem("too_many_columns")),
  v.check((mapping) => {
    const targets = Object.values(mapping);
    return new Set(targets).size === targets.length;
  }, fieldProblem("target_twice")),
  v.check(
    (mapping) => Object.values(mapping).some((target) => target === "telegram_user_id" || target === "username"),
    fieldProblem("person_column_missing"),
  ),
);
export type ImportMapping = v.InferOutput<typeof ImportMapping>;

/** The text fields of `POST /leads/import` (multipart, with the file in `file`). */
export const ImportRequest = v.strictObject({
  mapping: v.pipe(
    v.string(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return JSON.parse(dataset.value) as unknown;
      } catch {
        addIssue({
          message: fieldProblem("mapping", { example: '{"Telegram": "telegram_user_id", "Comment": "notes"}' }),
        });
        return NEVER;
      }
    }),
    ImportMapping,
  ),
  dry_run: v.optional(
    v.pipe(
      v.picklist(["true", "false"]),
      v.transform((text) => text === "true"),
    ),
    "false",
  ),
});
export type ImportRequest = v.InferOutput<typeof ImportRequest>;

const count = v.pipe(v.number(), v.minValue(0));
const value = v.nullable(v.union([v.string(), v.number(), v.array(v.string())]));

/**
 * What an import did, or would do. Row 1 is the header. `unmatched` lists the first skipped rows, each with the reason (no lead or several
 * match, or an earlier row has the same lead); `unmatched_total` counts them all. `changes` lists the first changed values.
 */
export const ImportResult = v.object({
  matched: count,
  changed: count,
  unmatched: v.array(v.object({ row: count, words: v.string(), ...reasonEntries("words") })),
  unmatched_total: count,
  changes: v.array(
    v.object({
      row: count,
      lead: v.object({ id: v.string(), name: v.nullable(v.string()) }),
      target: v.string(),
      before: value,
      after: value,
    }),
  ),
});
export type ImportResult = v.InferOutput<typeof ImportResult>;
