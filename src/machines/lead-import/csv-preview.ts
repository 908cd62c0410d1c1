import { NO_CSV, otherThanCsv } from "../../../domain/csv-file.ts";

/** The first rows of a CSV file, each as its cells; the header is the first. */
export type CsvPreview = { header: readonly string[]; rows: readonly (readonly string[])[] };

const SAVE_AS = "Save it as CSV in UTF-8 and choose it again.";
const CHOOSE = "Choose a CSV file, such as a spreadsheet saved as CSV in UTF-8.";

/** A file that is no CSV in UTF-8, in words for whoever chose it. */
class UnreadableFile extends Error {
  /** As a refusal of the server's carries its words. */
  readonly body: { message: string };
  constructor(message: string) {
    super(message);
    this.body = { message };
  }
}

/** The beginning of a file as text, as the server will read it. @throws UnreadableFile for bytes that are no UTF-8 */
function textOf(bytes: Uint8Array): string {
  // Texts hold no zero byte.
  const other = otherThanCsv(bytes) ?? (bytes.includes(0) ? NO_CSV : null);
  if (other !== null) throw new UnreadableFile(`${other} ${other === NO_CSV ? CHOOSE : SAVE_AS}`);
  try {
    // A sign may be cut in two where the beginning ends.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    throw new UnreadableFile(`This file is not in UTF-8. ${SAVE_AS}`);
  }
}

/** Enough of a file for its first twenty rows. */
const HEAD_BYTES = 262_144;

/** Reads the first rows of a file. @throws UnreadableFile for bytes that are no UTF-8 */
export async function readPreview(file: File): Promise<CsvPreview> {
  const preview = previewOf(textOf(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())));
  if (preview === null) throw new Error("the file has no header");
  return preview;
}

const SEPARATORS = [",", ";", "\t"];

/** The sign that stands most often in the first line. */
function separatorOf(text: string): string {
  const [line = ""] = text.split(/\r?\n/, 1);
  const counts = SEPARATORS.map((sign) => line.split(sign).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** Reads the header and up to `most` rows, for the eye: the server reads the file itself and is stricter. Null where there is no header. */
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
