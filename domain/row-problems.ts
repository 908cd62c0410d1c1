import { msg, plural } from "@lingui/core/runtime-macro";
import { fieldClause } from "./field-problems.ts";
import type { UiText } from "./ui-text.ts";

type Column = { column: string };
type Limit = { limit: number };

/** What may be wrong with a row of a CSV file: a sentence that follows its number. */
const ROW_PROBLEMS = {
  file_empty: () => msg`The file is empty. The first row must contain the column names.`,
  header_missing: () => msg`The first row must contain the column names.`,
  too_many_columns: ({ limit }: Limit) =>
    msg`A file may have ${plural({ limit }, { one: "# column", other: "# columns" })} at most.`,
  too_many_rows: ({ limit }: Limit) =>
    msg`A file may have ${plural({ limit }, { one: "# row", other: "# rows" })} at most. Split the file.`,
  other_width: ({ cells, columns }: { cells: number; columns: number }) =>
    msg`It has ${plural({ cells }, { one: "{cells} cell", other: "{cells} cells" })}, but the header has ${{ columns }}.`,
  quote_not_closed: () => msg`A quotation mark is never closed. To write one inside a cell, double it.`,
  text_after_quote: () => msg`There is text after a closing quotation mark. To write one inside a cell, double it.`,
  quote_inside: () =>
    msg`There is a quotation mark in the middle of a cell. Enclose the whole cell in quotation marks.`,
  row_too_long: () => msg`The row is longer than a million characters. Is a closing quotation mark missing?`,
  not_csv: () => msg`It could not be read as CSV.`,
  zero_byte: () => msg`It contains a null byte. Is this a CSV file?`,
  not_utf8: () => msg`It is not valid UTF-8. Save the file as CSV in UTF-8.`,
  spreadsheet: () => msg`This is a spreadsheet, not a CSV file. Save it as CSV in UTF-8.`,
  utf_16: () => msg`This file is in UTF-16, like Excel’s ‘Unicode Text’. Save it as CSV in UTF-8.`,
  no_csv: () => msg`This is not a CSV file. Choose a CSV file in UTF-8.`,
  column_missing: ({ column }: Column) => msg`There is no column "${{ column }}".`,
  column_twice: ({ column }: Column) => msg`The column "${{ column }}" appears twice.`,
  column_unknown: ({ column }: Column) => msg`An export has no column "${{ column }}".`,
  column_of_gone_field: ({ column }: Column) =>
    msg`The column "${{ column }}" is mapped to a field that no longer exists.`,
  cell: ({ column, code, params }: Column & { code: string | null; params: Record<string, unknown> }) =>
    msg`${{ column }}: ${{ problem: fieldClause(code, params) }}`,
  too_many: ({ limit }: Limit) => msg`There are more than ${plural({ limit }, { one: "#", other: "#" })}.`,
  keywords_too_long: () => msg`The keywords of all stages together are too long.`,
  field_unlisted: () => msg`Its field is not in fields.csv.`,
  other_value: ({ type, column }: Column & { type: string }) =>
    msg`A field of type ${{ type }} has its value in ${{ column }} only.`,
  not_numbered: () => msg`Its rows are not numbered from 1.`,
  ledger_row_missing: () => msg`ledger.csv has no such row.`,
} as const satisfies Record<string, (params: never) => UiText>;

/** A row's problem: a code and the parameters of its sentence. */
export type RowProblem = { code: string; params: object };

export const rowProblem = <Code extends keyof typeof ROW_PROBLEMS>(
  code: Code,
  ...[params]: Parameters<(typeof ROW_PROBLEMS)[Code]>
): RowProblem => ({ code, params: params ?? {} });

/**
 * Returns the text of a row's problem.
 * @throws for an unknown code: the server's English is shown instead
 */
export function rowText({ code, params }: RowProblem): UiText {
  if (!Object.hasOwn(ROW_PROBLEMS, code)) throw new Error(`no text for the code ${code}`);
  return (ROW_PROBLEMS[code as keyof typeof ROW_PROBLEMS] as (params: object) => UiText)(params);
}
