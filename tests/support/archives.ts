import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import yauzl from "yauzl";
import yazl from "yazl";

/** The files of a zip by name. */
export type Files = Map<string, Buffer>;

/** Reads a zip without any of the product's code. */
export async function unzip(zip: Uint8Array): Promise<Files> {
  const opened = await yauzl.fromBufferPromise(Buffer.from(zip), { lazyEntries: true });
  const files: Files = new Map();
  for await (const entry of opened.eachEntry())
    files.set(entry.fileName, await buffer(await opened.openReadStreamPromise(entry)));
  return files;
}

export async function zipOf(files: Files): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of files) zip.addBuffer(content, name);
  zip.end();
  return buffer(zip.outputStream);
}

export type ManifestFile = { path: string; bytes: number; sha256: string; rows?: number };
export type Manifest = { format: string; version: number; made_at: string; files: ManifestFile[] };
export const manifestOf = (files: Files) => JSON.parse(String(files.get("manifest.json"))) as Manifest;
export const withManifest = (files: Files, manifest: object): Files =>
  new Map(files).set("manifest.json", Buffer.from(JSON.stringify(manifest)));

/** Returns the same files with one of them changed and its checksum in the manifest updated. */
export function withChanged(files: Files, name: string, change: (text: string) => string | Buffer): Files {
  const next = change(String(files.get(name)));
  const content = typeof next === "string" ? Buffer.from(next) : next;
  const manifest = manifestOf(files);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const listed = manifest.files.map((file) => (file.path === name ? { ...file, bytes: content.length, sha256 } : file));
  return withManifest(new Map(files).set(name, content), { ...manifest, files: listed });
}

export type Cells = Record<string, string>;
/** Returns the rows of a table. An empty cell and an empty text are not told apart. */
export const rowsIn = (files: Files, name: string): Cells[] =>
  parse(files.get(name) ?? "", { bom: true, columns: true }) as Cells[];

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const NAME_COLUMNS: Record<string, string> = {
  "media.csv": "sha256",
  "stages.csv": "name",
  "followups.csv": "message",
  "tags.csv": "name",
  "fields.csv": "name",
  "snippets.csv": "title",
  "views.csv": "name",
  "reminders.csv": "template",
  "bulk_messages.csv": "message",
  "leads.csv": "telegram_user_id",
};

/** Returns the content of an archive independent of its ids: each id is replaced by a name, and rows are sorted by their text. */
export function contentWithoutIds(files: Files): Record<string, string[]> {
  const names = new Map<string, string>();
  for (const [file, column] of Object.entries(NAME_COLUMNS))
    for (const row of rowsIn(files, file)) names.set(row["id"] ?? "", `<${file} ${row[column]}>`);
  const named = (text: string) => text.replace(UUIDS, (id) => names.get(id) ?? "<nobody>");
  return Object.fromEntries(
    [...files.keys()]
      .filter((name) => name.endsWith(".csv"))
      .map((name) => [
        name,
        rowsIn(files, name)
          .map((row) => named(JSON.stringify(row)))
          .toSorted(),
      ]),
  );
}

/** Runs `work` with the content in a file on disk. */
export async function onDisk<T>(content: Uint8Array, work: (file: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-archive-test-"));
  try {
    const file = path.join(folder, "archive.zip");
    fs.writeFileSync(file, content);
    return await work(file);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
