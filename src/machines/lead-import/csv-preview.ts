import { msg } from "@lingui/core/runtime-macro";
import type { UiText } from "../../../domain/ui-text.ts";
import { type OtherFile, detectOtherFormat } from "../../../domain/csv-file.ts";

/** The first rows of a CSV file as cells, with the header first. */
export type CsvPreview = { header: readonly string[]; rows: readonly (readonly string[])[] };

type FileKind = OtherFile | "other_encoding";

const PROBLEMS: Record<FileKind, UiText> = {
  spreadsheet: msg`This is a spreadsheet file and no CSV. Save it as CSV in UTF-8 and choose it again.`,
  utf_16: msg`This file is in UTF-16, as Excel’s ‘Unicode Text’ is. Save it as CSV in UTF-8 and choose it again.`,
  no_csv: msg`This is not a CSV file. Choose a CSV file, such as a spreadsheet saved as CSV in UTF-8.`,
  other_encoding: msg`This file is not in UTF-8. Save it as CSV in UTF-8 and choose it again.`,
};

/** A file that is not CSV in UTF-8, with the problem to show. */
export class UnreadableFile extends Error {
  readonly problem: UiText;
  constructor(kind: FileKind) {
    super(`the file is not CSV in UTF-8: ${kind}`);
    this.problem = PROBLEMS[kind];
  }
}

/** Decodes the start of a file as the server will. @throws UnreadableFile if it is not UTF-8 */
function textOf(bytes: Uint8Array): string {
  // Text has no zero bytes.
  const other = detectOtherFormat(bytes) ?? (bytes.includes(0) ? "no_csv" : null);
  if (other !== null) throw new UnreadableFile(other);
  try {
    // A character may be split where the start ends.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    throw new UnreadableFile("other_encoding");
  }
}

/** Enough for the first twenty rows. */
const HEAD_BYTES = 262_144;

/** Reads the first rows of a file. @throws UnreadableFile if it is not UTF-8 */
export async function readPreview(file: File): Promise<CsvPreview> {
  const preview = previewOf(textOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())));
  if (preview === null) throw new Error("the file has no header");
  return preview;
}

const SEPARATORS = [",", ";", "\t"];

/** The most frequent separator of the first line. */
function separatorOf(text: string): string {
  const [line = ""] = text.split(/\r?\n/, 1);
  const counts = SEPARATORS.map((sign) => line.split(sign).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** Parses the header and up to `most` rows for a preview; the server is stricter. Null if there is no header. */
export function previewOf(text: string, most = 20): CsvPreview | null {
  const source = text.replace(/^\uFEFF/, "");
  const separator = separatorOf(source);
  const rows: string[][] = [];
  let [row, cell, isQuoted] = [[] as string[], "", false];
  const endRow = () => {
    row.push(cell);
    if (row.some((text) => text.trim() !== "")) rows.push(row);
    [row, cell] = [[], ""];
  };
  for (let at = 0; at < source.length && rows.length <= most; at++) {
    const sign = source.charAt(at);
    if (isQuoted && sign === '"' && source.charAt(at + 1) === '"') {
      cell += sign;
      at += 1;
    } else if (sign === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (isQuoted) cell += sign;
    else if (sign === separator) {
      row.push(cell);
      cell = "";
    } else if (sign === "\n") endRow();
    else if (sign !== "\r") cell += sign;
  }
  if (rows.length <= most && (cell !== "" || row.length > 0)) endRow();
  const [header, ...rest] = rows;
  return header === undefined ? null : { header: header.map((name) => name.trim()), rows: rest.slice(0, most) };
}
