import { createReadStream } from "node:fs";
import fs from "node:fs/promises";
import { CsvError, parse } from "csv-parse";
import { detectOtherFormat } from "../../domain/csv-file.ts";
import { type RowProblem, rowProblem, rowText } from "../../domain/row-problems.ts";
import { inEnglish } from "../core/languages.ts";
import { type ProblemError, refuse } from "../core/problem.ts";

/** A row of a CSV file: its number (the header is row 1) and its cells. */
export type CsvRow = { row: number; cells: string[] };

const PEEK_BYTES = 65_536;
const RECORD_MAX_CHARS = 1_000_000;
const ROWS_MAX = 200_000;
const COLUMNS_MAX = 500;
const DELIMITERS = [",", ";", "\t"];

/** Returns a 422 that names the row. */
export function wrongRow(row: number, problem: RowProblem): ProblemError {
  const fields = { [`row ${row}`]: inEnglish(rowText(problem)) };
  return refuse(422, "row_unreadable", { row, problem }, { fields });
}

type Fault = "quote_not_closed" | "text_after_quote" | "quote_inside" | "row_too_long";
const FAULTS: Partial<Record<string, Fault>> = {
  CSV_QUOTE_NOT_CLOSED: "quote_not_closed",
  CSV_INVALID_CLOSING_QUOTE: "text_after_quote",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "text_after_quote",
  INVALID_OPENING_QUOTE: "quote_inside",
  CSV_MAX_RECORD_SIZE: "row_too_long",
};

/**
 * Reads a CSV file row by row in constant memory: UTF-8 with or without a byte order mark; commas, semicolons or tabs, whichever the header
 * has most of; quoted cells with line breaks; any line endings. Empty lines count as rows and are skipped. All other rows must have as many
 * cells as the header.
 * @throws ProblemError 422 that names the first invalid row and its problem
 */
export async function* readCsv(file: string): AsyncGenerator<CsvRow> {
  const isUtf8 = await checkBytes(file);
  const delimiter = await findDelimiter(file);
  let row = 0;
  let width = 0;
  const parser = createReadStream(file).pipe(
    parse({
      delimiter,
      bom: true,
      relax_column_count: true,
      record_delimiter: ["\r\n", "\n", "\r"],
      max_record_size: RECORD_MAX_CHARS,
    }),
  );
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      row += 1;
      const isEmpty = record.length === 1 && record[0]?.trim() === "";
      if (row === 1) {
        if (isEmpty) throw wrongRow(1, rowProblem("header_missing"));
        if (record.length > COLUMNS_MAX) throw wrongRow(1, rowProblem("too_many_columns", { limit: COLUMNS_MAX }));
        width = record.length;
      }
      checkText(row, record, isUtf8);
      if (isEmpty) continue;
      if (row > ROWS_MAX) throw wrongRow(row, rowProblem("too_many_rows", { limit: ROWS_MAX }));
      if (record.length !== width)
        throw wrongRow(row, rowProblem("other_width", { cells: record.length, columns: width }));
      yield { row, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw wrongRow(Number(error["records"] ?? row) + 1, rowProblem(FAULTS[error.code] ?? "not_csv"));
  }
  if (row === 0) throw wrongRow(1, rowProblem("file_empty"));
}

function checkText(row: number, cells: readonly string[], isUtf8: boolean): void {
  if (cells.some((cell) => cell.includes("\0"))) throw wrongRow(row, rowProblem("zero_byte"));
  if (!isUtf8 && cells.some((cell) => cell.includes("\uFFFD"))) throw wrongRow(row, rowProblem("not_utf8"));
}

/** Reads all bytes once. @returns whether they are UTF-8; if not, the error names the row when it is read */
async function checkBytes(file: string): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isStart = true;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) {
      const other = isStart ? detectOtherFormat(chunk) : null;
      if (other !== null) throw wrongRow(1, rowProblem(other));
      isStart = false;
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Returns the most frequent delimiter of the header, outside of quotation marks. */
async function findDelimiter(file: string): Promise<string> {
  const handle = await fs.open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PEEK_BYTES), 0, PEEK_BYTES, 0);
    const found = new Map(DELIMITERS.map((sign) => [sign, 0]));
    let isQuoted = false;
    for (const sign of buffer.toString("utf8", 0, bytesRead)) {
      if (sign === '"') isQuoted = !isQuoted;
      if (isQuoted) continue;
      if (sign === "\n" || sign === "\r") break;
      if (found.has(sign)) found.set(sign, (found.get(sign) ?? 0) + 1);
    }
    const [best] = [...found].toSorted(([, a], [, b]) => b - a);
    return best?.[0] ?? ",";
  } finally {
    await handle.close();
  }
}
