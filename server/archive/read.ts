import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { CsvError, parse, type CastingContext } from "csv-parse";
import * as v from "valibot";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { SettingsPatch, UserSettingsUpdate } from "../../domain/settings.ts";
import { type RowProblem, rowProblem } from "../../domain/row-problems.ts";
import { readCoded } from "../../domain/coded.ts";
import { mediaTypeOf } from "../media/store.ts";
import { PARTS, type Part, type Row } from "../owned-data/index.ts";
import { valueOf, cellProblem } from "./cells.ts";
import { broken, type Archive } from "./open.ts";
import { fileOf, SETTINGS_FILE } from "./parts.ts";
import { createRules } from "./rules.ts";
import { firstProblemOf } from "../core/field-problem.ts";

const RECORD_MAX_CHARS = 1_000_000;

/**
 * Reads the rows of a part in constant memory and checks each value.
 * @throws ProblemError 422 that names the file, the row (the header is row 1) and the column
 */
export async function* rowsOf(archive: Archive, part: Part): AsyncGenerator<Row> {
  const path = fileOf(part);
  const wrong: Wrong = (row, problem) => broken("row", { path, row, problem });
  const source = await archive.read(path);
  const parser = source.pipe(
    parse({
      bom: true,
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      max_record_size: RECORD_MAX_CHARS,
      // An empty cell is null; an empty text has quotation marks.
      cast: (cell: string, { quoting }: CastingContext) => (cell === "" && !quoting ? null : cell),
    }),
  );
  source.once("error", (error) => parser.destroy(error));
  let header: Header | null = null;
  let row = 0;
  try {
    for await (const cells of parser as AsyncIterable<(string | null)[]>) {
      row += 1;
      if (header === null) header = readHeader(cells, part, wrong);
      else yield readRow(cells, { part, header, wrong: (problem) => wrong(row, problem) });
    }
  } catch (error) {
    throw error instanceof CsvError ? wrong(row + 1, rowProblem("not_csv")) : error;
  } finally {
    source.destroy();
  }
  if (header === null) throw wrong(1, rowProblem("header_missing"));
  const rows = archive.fileOf(path).rows;
  if (row - 1 !== rows) throw broken("other_rows", { path, rows: row - 1, listed: rows ?? 0 });
}

type Wrong = (row: number, problem: RowProblem) => Error;
/** The positions of a part's columns in a file; -1 for a column that an older export lacks. */
type Header = { width: number; places: readonly number[] };

function readHeader(cells: (string | null)[], { columns }: Part, wrong: Wrong): Header {
  const missing = columns.find(({ name, isNew }) => !isNew && !cells.includes(name));
  if (missing !== undefined) throw wrong(1, rowProblem("column_missing", { column: missing.name }));
  const unknown = cells.find((cell) => !columns.some(({ name }) => name === cell));
  if (unknown !== undefined) throw wrong(1, rowProblem("column_unknown", { column: unknown ?? "" }));
  const twice = cells.find((cell, place) => cells.indexOf(cell) < place);
  if (twice != null) throw wrong(1, rowProblem("column_twice", { column: twice }));
  return { width: cells.length, places: columns.map(({ name }) => cells.indexOf(name)) };
}

function readRow(
  cells: (string | null)[],
  { part, header, wrong }: { part: Part; header: Header; wrong: (problem: RowProblem) => Error },
): Row {
  const { width, places } = header;
  if (cells.length !== width) throw wrong(rowProblem("other_width", { cells: cells.length, columns: width }));
  const row: Row = {};
  for (const [at, each] of part.columns.entries()) {
    const value = valueOf(each, cells[places[at] as number] ?? null);
    const problem = cellProblem(each, value);
    if (problem !== null) throw wrong(rowProblem("cell", { column: each.name, ...readCoded(problem) }));
    row[each.name] = value;
  }
  return row;
}

export type Choices = v.InferOutput<typeof Choices>;
const Choices = v.strictObject({ ...v.partial(UserSettingsUpdate).entries, ...SettingsPatch.entries });

/** Reads `settings.json`. @throws ProblemError 422 */
export async function readSettings(archive: Archive): Promise<Choices> {
  let content: unknown;
  try {
    content = JSON.parse((await bytesOf(await archive.read(SETTINGS_FILE))).toString("utf8"));
  } catch (error) {
    throw error instanceof SyntaxError ? broken("no_json", { path: SETTINGS_FILE }) : error;
  }
  const result = v.safeParse(Choices, content);
  if (result.success) return result.output;
  throw broken("field", { path: SETTINGS_FILE, ...firstProblemOf(result.issues) });
}

/** Reads a picture or video and detects its type from its bytes. @throws ProblemError 422 */
export async function readMedium(archive: Archive, { id, extension, sha256 }: Row) {
  const path = `media/${id}.${extension}`;
  if ((archive.fileOf(path) as object | undefined) === undefined) throw broken("file_missing", { path });
  const content = await bytesOf(await archive.read(path));
  const type = content.length > MEDIA_MAX_BYTES ? null : await mediaTypeOf(content);
  if (type === null) throw broken("no_media", { path });
  if (createHash("sha256").update(content).digest("hex") !== sha256) throw broken("other_media", { path });
  return { content, type };
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * Reads and checks the whole archive before anything is changed.
 * @throws ProblemError 422 for the first problem
 */
export async function checkArchive(archive: Archive): Promise<void> {
  await readSettings(archive);
  const rules = createRules();
  const counts = new Map<string, number>();
  for (const part of PARTS) {
    let count = 0;
    for await (const row of rowsOf(archive, part)) {
      count += 1;
      const wrong = (problem: RowProblem) => broken("row", { path: fileOf(part), row: count + 1, problem });
      const problem = rules(part.name, row, count);
      if (problem !== null) throw wrong(problem);
      if (part.name === "media") await readMedium(archive, row);
      if (part.name === "ledger" && row["row"] !== String(count)) throw wrong(rowProblem("not_numbered"));
      if (Number(row["ledger_row"] ?? 0) > (counts.get("ledger") ?? 0)) throw wrong(rowProblem("ledger_row_missing"));
    }
    counts.set(part.name, count);
  }
  const files = archive.manifest.files.filter(({ path }) => path.startsWith("media/")).length;
  if (files !== counts.get("media")) throw broken("media_unlisted");
}
