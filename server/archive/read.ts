import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { CsvError, parse, type CastingContext } from "csv-parse";
import * as v from "valibot";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { SettingsPatch, UserSettingsUpdate } from "../../domain/settings.ts";
import { mediaTypeOf } from "../media/index.ts";
import { PARTS, type Part, type Row } from "../owned-data/index.ts";
import { valueOf, wrongIn } from "./cells.ts";
import { broken, type Archive } from "./open.ts";
import { fileOf, SETTINGS_FILE } from "./parts.ts";
import { createRules } from "./rules.ts";
import { readProblem } from "../core/field-problem.ts";

const RECORD_MAX_CHARS = 1_000_000;

/**
 * Reads the rows of a part and checks each value, in constant memory.
 * @throws ProblemError 422 that names the file, the row (the header is row 1) and the column at fault
 */
export async function* rowsOf(archive: Archive, part: Part): AsyncGenerator<Row> {
  const path = fileOf(part);
  const wrong = (row: number, words: string) => broken(`${path}, row ${row}: ${words}.`);
  const source = await archive.read(path);
  const parser = source.pipe(
    parse({
      bom: true,
      record_delimiter: ["\r\n", "\n"],
      relax_column_count: true,
      max_record_size: RECORD_MAX_CHARS,
      // An empty cell is none; an empty text stands in quotation marks.
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
      else yield readRow(cells, { part, header, wrong: (words) => wrong(row, words) });
    }
  } catch (error) {
    throw error instanceof CsvError ? wrong(row + 1, "it cannot be read as CSV") : error;
  } finally {
    source.destroy();
  }
  if (header === null) throw wrong(1, "the names of the columns are missing");
  const rows = archive.fileOf(path).rows;
  if (row - 1 !== rows) throw broken(`${path} has ${row - 1} rows, and manifest.json says ${rows}.`);
}

/** Where each of a part's columns stands in a file; -1 for one that an older export lacks. */
type Header = { width: number; places: readonly number[] };

function readHeader(cells: (string | null)[], { columns }: Part, wrong: (row: number, words: string) => Error): Header {
  const missing = columns.find(({ name, isNew }) => !isNew && !cells.includes(name));
  if (missing !== undefined) throw wrong(1, `there is no column ${missing.name}`);
  const unknown = cells.find((cell) => !columns.some(({ name }) => name === cell));
  if (unknown !== undefined || cells.length !== new Set(cells).size)
    throw wrong(1, `there is no column ${unknown ?? "twice"} in an export`);
  return { width: cells.length, places: columns.map(({ name }) => cells.indexOf(name)) };
}

function readRow(
  cells: (string | null)[],
  { part, header, wrong }: { part: Part; header: Header; wrong: (words: string) => Error },
): Row {
  const { width, places } = header;
  if (cells.length !== width) throw wrong(`it has ${cells.length} cells, and the header has ${width}`);
  const row: Row = {};
  for (const [at, each] of part.columns.entries()) {
    const value = valueOf(each, cells[places[at] as number] ?? null);
    const words = wrongIn(each, value);
    if (words !== null) throw wrong(`${each.name} ${words}`);
    row[each.name] = value;
  }
  return row;
}

export type Choices = v.InferOutput<typeof Choices>;
/** What `settings.json` may say. */
const Choices = v.strictObject({ ...v.partial(UserSettingsUpdate).entries, ...SettingsPatch.entries });

/** @throws ProblemError 422 */
export async function readSettings(archive: Archive): Promise<Choices> {
  const wrong = (words: string) => broken(`${SETTINGS_FILE}: ${words}`);
  let content: unknown;
  try {
    content = JSON.parse((await bytesOf(await archive.read(SETTINGS_FILE))).toString("utf8"));
  } catch (error) {
    throw error instanceof SyntaxError ? wrong("it is no JSON.") : error;
  }
  const result = v.safeParse(Choices, content);
  if (result.success) return result.output;
  const issue = result.issues[0];
  throw wrong(`${v.getDotPath(issue) ?? "it"}: ${readProblem(issue.message).message}`);
}

/** A picture or video of the archive, judged by its bytes. @throws ProblemError 422 */
export async function readMedium(archive: Archive, { id, extension, sha256 }: Row) {
  const path = `media/${id}.${extension}`;
  if ((archive.fileOf(path) as object | undefined) === undefined) throw broken(`${path} is missing in it.`);
  const content = await bytesOf(await archive.read(path));
  const type = content.length > MEDIA_MAX_BYTES ? null : await mediaTypeOf(content);
  if (type === null) throw broken(`${path} is neither a picture nor a video.`);
  if (createHash("sha256").update(content).digest("hex") !== sha256)
    throw broken(`${path} is another file than media.csv says.`);
  return { content, type };
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/**
 * Reads everything once, before anything is changed.
 * @throws ProblemError 422 for the first thing that is wrong
 */
export async function checkArchive(archive: Archive): Promise<void> {
  await readSettings(archive);
  const rules = createRules();
  const counts = new Map<string, number>();
  for (const part of PARTS) {
    let count = 0;
    for await (const row of rowsOf(archive, part)) {
      count += 1;
      const words = rules(part.name, row, count);
      if (words !== null) throw broken(`${fileOf(part)}, row ${count + 1}: ${words}.`);
      if (part.name === "media") await readMedium(archive, row);
      if (part.name === "ledger" && row["row"] !== String(count))
        throw broken(`ledger.csv, row ${count + 1}: its rows are not numbered from 1.`);
      if (Number(row["ledger_row"] ?? 0) > (counts.get("ledger") ?? 0))
        throw broken(`messages.csv, row ${count + 1}: ledger.csv has no such row.`);
    }
    counts.set(part.name, count);
  }
  const files = archive.manifest.files.filter(({ path }) => path.startsWith("media/")).length;
  if (files !== counts.get("media")) throw broken("There are files under media/ that media.csv does not name.");
}
