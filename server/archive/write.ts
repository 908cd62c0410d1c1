import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { stringify } from "csv-stringify/sync";
import yazl from "yazl";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  MANIFEST_FILE,
  type ArchiveFile,
  type Manifest,
} from "../../domain/archive.ts";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { nextTurn } from "../core/clock.ts";
import type { Db, Tx } from "../db/index.ts";
import { readRange } from "../media/store.ts";
import { PARTS, type Part } from "../owned-data/index.ts";
import { cellOf } from "./cells.ts";
import { fileOf, SETTINGS_FILE } from "./parts.ts";
import { pagesOf, readChoices } from "./rows.ts";

/** Without it, spreadsheets read the file in another encoding. */
const BOM = "\uFEFF";

type Medium = { id: string; extension: string; size: string; sha256: string };
type Spool = { folder: string; files: ArchiveFile[]; media: Medium[] };

/**
 * Exports all data of an owner as one zip of CSV and JSON (docs/export-format.md). The rows come from one snapshot: they are first written
 * to a temporary folder, which is deleted with the stream. Memory use does not grow with the account.
 * @param at time of the export
 * @throws if the database cannot be read; a stream that ends with an error is an incomplete archive
 */
export async function archiveOf(db: Db, ownerId: string, at: string): Promise<Readable> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "leadloom-export-"));
  try {
    const spool: Spool = { folder, files: [], media: [] };
    await db
      .transaction()
      .setIsolationLevel("repeatable read")
      .execute((tx) => spoolRows(tx, ownerId, spool));
    return zipOf(db, spool, at);
  } catch (error) {
    await fs.rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function spoolRows(tx: Tx, ownerId: string, spool: Spool): Promise<void> {
  for (const part of PARTS) spool.files.push(await spoolPart(tx, ownerId, part, spool));
  const settings = `${JSON.stringify(await readChoices(tx, ownerId), null, 2)}\n`;
  spool.files.push(await spoolFile(spool, SETTINGS_FILE, (write) => write(settings)));
}

async function spoolPart(tx: Tx, ownerId: string, part: Part, spool: Spool): Promise<ArchiveFile> {
  let rows = 0;
  const file = await spoolFile(spool, fileOf(part), async (write) => {
    await write(BOM + csv([part.columns.map(({ name }) => name)]));
    for await (const page of pagesOf(tx, part, ownerId)) {
      await write(csv(page.map((row) => part.columns.map((each) => cellOf(each, row[each.name] ?? null)))));
      if (part.name === "media") spool.media.push(...(page as Medium[]));
      rows += page.length;
      await nextTurn();
    }
  });
  return { ...file, rows };
}

const csv = (rows: (string | null)[][]): string =>
  // Quotes empty texts, to tell them from null, and characters that other programs could take for the end of a row or cell.
  stringify(rows, { record_delimiter: "windows", quoted_match: /^$|[\r\n\t;]/ });

/** Writes a file to the temporary folder piece by piece. Returns its entry in the manifest. */
async function spoolFile(
  { folder }: Spool,
  name: string,
  fill: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<ArchiveFile> {
  const handle = await fs.open(path.join(folder, name), "wx", 0o600);
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    await fill(async (text) => {
      const chunk = Buffer.from(text);
      hash.update(chunk);
      bytes += chunk.length;
      await handle.writeFile(chunk);
    });
  } finally {
    await handle.close();
  }
  return { path: name, bytes, sha256: hash.digest("hex") };
}

const mediaFile = ({ id, extension, size, sha256 }: Medium): ArchiveFile => ({
  path: `media/${id}.${extension}`,
  bytes: Number(size),
  sha256,
});

function zipOf(db: Db, { folder, files, media }: Spool, at: string): Readable {
  const zip = new yazl.ZipFile();
  const stream = zip.outputStream as Readable;
  const mtime = new Date(at);
  let reading: Readable | null = null;
  const lazily = (file: ArchiveFile, compress: boolean, open: () => Readable | Promise<Readable>) =>
    zip.addReadStreamLazy(file.path, { mtime, compress, mode: 0o100644 }, (give) => {
      void (async () => {
        if (stream.destroyed) return;
        try {
          reading = await open();
          give(null, reading);
        } catch (error) {
          stream.destroy(error as Error);
        }
      })();
    });
  const manifest: Manifest = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    made_at: at,
    files: [...files, ...media.map(mediaFile)],
  };
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), MANIFEST_FILE, { mtime });
  for (const file of files) lazily(file, true, () => createReadStream(path.join(folder, file.path)));
  for (const medium of media) lazily(mediaFile(medium), false, () => readMedium(db, medium));
  zip.end();
  zip.on("error", (error) => stream.destroy(error as Error));
  stream.once("close", () => {
    reading?.destroy();
    void fs.rm(folder, { recursive: true, force: true });
  });
  return stream;
}

/** @throws if the file was deleted since the rows were read, because the archive would be incomplete */
async function readMedium(db: Db, { id, size }: Medium): Promise<Readable> {
  const content = await readRange(db, id, 0, MEDIA_MAX_BYTES);
  if (content?.length !== Number(size)) throw new Error("A file was deleted during the export.");
  return Readable.from([Buffer.from(content)]);
}
