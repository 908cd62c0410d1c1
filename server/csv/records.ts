import { createReadStream } from "node:fs";
import fs from "node:fs/promises";
import { CsvError, parse } from "csv-parse";
import { type OtherFile, otherThanCsv } from "../../domain/csv-file.ts";
import { ProblemError } from "../core/problem.ts";

/** A row of a CSV file: its number, counted from 1 with the header as row 1, and its cells. */
export type CsvRow = { row: number; cells: string[] };

const PEEK_BYTES = 65_536;
const RECORD_MAX_CHARS = 1_000_000;
const ROWS_MAX = 200_000;
const COLUMNS_MAX = 500;
const DELIMITERS = [",", ";", "\t"];

/** 422 that names the row. */
export const wrongRow = (row: number, words: string) =>
  new ProblemError(422, "row_unreadable", `Row ${row}: ${words}`, { fields: { [`row ${row}`]: words } });

const CLOSING = "Something stands behind a closing quotation mark. Write two of them for one inside of a cell.";
const CSV_WORDS: Record<string, string> = {
  CSV_QUOTE_NOT_CLOSED: "A quotation mark is opened and never closed. Write two of them for one inside of a cell.",
  CSV_INVALID_CLOSING_QUOTE: CLOSING,
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: CLOSING,
  INVALID_OPENING_QUOTE: "A quotation mark stands in the middle of a cell. Put the whole cell in quotation marks.",
  CSV_MAX_RECORD_SIZE: "The row is longer than a million characters. Is a quotation mark not closed?",
};

/**
 * Reads a CSV file row by row in constant memory: UTF-8 with or without a byte order mark, cells parted by commas, semicolons or tabs
 * (whichever the header has most of), quoted cells with line breaks in them, any line ends. Empty lines count as rows and are left out.
 * Every other row has as many cells as the header.
 * @throws ProblemError 422 that names the first row at fault and why
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
        if (isEmpty) throw wrongRow(1, "The first row must hold the names of the columns.");
        if (record.length > COLUMNS_MAX) throw wrongRow(1, `A file may have ${COLUMNS_MAX} columns at most.`);
        width = record.length;
      }
      checkText(row, record, isUtf8);
      if (isEmpty) continue;
      if (row > ROWS_MAX)
        throw wrongRow(row, `A file may have ${ROWS_MAX.toLocaleString("en")} rows at most. Split it.`);
      if (record.length !== width)
        throw wrongRow(
          row,
          `It has ${record.length} ${record.length === 1 ? "cell" : "cells"}, and the header has ${width}.`,
        );
      yield { row, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw wrongRow(Number(error["records"] ?? row) + 1, CSV_WORDS[error.code] ?? "It could not be read as CSV.");
  }
  if (row === 0) throw wrongRow(1, "The file is empty. The first row must hold the names of the columns.");
}

function checkText(row: number, cells: readonly string[], isUtf8: boolean): void {
  if (cells.some((cell) => cell.includes("\0"))) throw wrongRow(row, "It holds a zero byte. Is this a CSV file?");
  if (!isUtf8 && cells.some((cell) => cell.includes("\uFFFD")))
    throw wrongRow(row, "It holds bytes that are no UTF-8. Save the file as CSV in UTF-8.");
}

const OTHER_FILES: Record<OtherFile, string> = {
  spreadsheet: "This is a spreadsheet file and no CSV.",
  utf_16: "This file is in UTF-16, as Excel’s ‘Unicode Text’ is.",
  no_csv: "This is not a CSV file.",
};

/** Reads all bytes once. @returns whether they are UTF-8; where they are not, the row is told when it is read */
async function checkBytes(file: string): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isStart = true;
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) {
      const other = isStart ? otherThanCsv(chunk) : null;
      if (other !== null) throw wrongRow(1, `${OTHER_FILES[other]} Send it as CSV in UTF-8.`);
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

/** What parts the cells of the header: the sign that stands in it most often outside of quotation marks. */
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
