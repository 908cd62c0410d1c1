import { createHash } from "node:crypto";
import { Transform, type Readable, type TransformCallback } from "node:stream";
import * as v from "valibot";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, MANIFEST_FILE, Manifest, type ArchiveFile } from "../../domain/archive.ts";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { ProblemError } from "../core/problem.ts";
import { PARTS } from "../owned-data/index.ts";
import { fileOf, SETTINGS_FILE } from "./parts.ts";

const MANIFEST_MAX_BYTES = 33_554_432;
const SETTINGS_MAX_BYTES = 65_536;
const ENTRIES_MAX = 100_000;
/** Deflate makes nothing smaller than a thousandth; texts of people come nowhere near this. */
const RATIO_MAX = 300;
const RATIO_FROM_BYTES = 10_485_760;
/** What stands in an archive may be so many times as large as an archive may be. */
const UNPACKED_TIMES = 20;

/** An archive whose directory and manifest agree; its files are read and checked one by one. */
export type Archive = {
  manifest: Manifest;
  /** @throws ProblemError 422 while it is read, where it is another than the manifest says */
  read(path: string): Promise<Readable>;
  fileOf(path: string): ArchiveFile;
  close(): void;
};

/** 422: the archive cannot be brought in, and why. */
export const broken = (message: string, code = "archive_broken") => new ProblemError(422, code, message);

/**
 * Opens an archive: nothing of it is unpacked to the disk, and a file is read only as far as the manifest says.
 * @param mostBytes how large an archive may be
 * @throws ProblemError 422 in words that say what is wrong with it
 */
export async function openArchive(file: string, mostBytes: number): Promise<Archive> {
  const zip = await yauzl
    .openPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true })
    .catch((error: unknown) => {
      throw unreadable(error);
    });
  try {
    const entries = await readDirectory(zip, mostBytes);
    const manifest = readManifest(await textOf(zip, entries.get(MANIFEST_FILE), MANIFEST_MAX_BYTES));
    const files = new Map(manifest.files.map((each) => [each.path, each]));
    requireWhole(manifest, files, entries);
    return {
      manifest,
      fileOf: (path) => files.get(path) as ArchiveFile,
      async read(path) {
        const stream = await openEntry(zip, entries.get(path) as Entry);
        const checked = stream.pipe(checkOf(files.get(path) as ArchiveFile));
        stream.once("error", (error) => checked.destroy(unreadableEntry(path, error)));
        checked.once("close", () => stream.destroy());
        return checked;
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

const WHY: readonly [RegExp, string][] = [
  [
    /end of central directory|central directory file header|comment length|not a zip/i,
    "This is no zip file, or it is not whole. Download the export again.",
  ],
  [/multi-disk/i, "The zip file is split into several. Put everything into one."],
  [/absolute path|invalid relative path|invalid characters/i, "A file in it names a place outside of the archive."],
  [/encrypt/i, "The zip file is encrypted. Use the export as it was downloaded."],
  [
    /unsupported compression/i,
    "The zip file is compressed in a way that cannot be read. Use the export as it was downloaded.",
  ],
];

const wordsFor = (error: unknown): string | null =>
  WHY.find(([pattern]) => pattern.test((error as Error).message))?.[1] ?? null;
function unreadable(error: unknown): unknown {
  if (error instanceof ProblemError || (error as NodeJS.ErrnoException).syscall !== undefined) return error;
  return broken(wordsFor(error) ?? "The zip file is damaged. Download the export again.");
}
const unreadableEntry = (path: string, error: unknown): Error =>
  error instanceof ProblemError ? error : broken(wordsFor(error) ?? `${path} is damaged. Download the export again.`);

async function readDirectory(zip: ZipFile, mostBytes: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  if (zip.entryCount > ENTRIES_MAX)
    throw broken(`There are more than ${ENTRIES_MAX.toLocaleString("en")} files in it.`);
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name } = entry;
      // A folder by itself, as some programs note it.
      if (name.endsWith("/") && entry.uncompressedSize === 0) continue;
      if (entries.has(name)) throw broken(`${name} stands in it twice.`);
      if (entry.isEncrypted()) throw broken("The zip file is encrypted. Use the export as it was downloaded.");
      unpacked += entry.uncompressedSize;
      if (unpacked > mostBytes * UNPACKED_TIMES) throw broken("Unpacked it would be larger than any account.");
      if (entry.uncompressedSize > RATIO_FROM_BYTES && entry.uncompressedSize > entry.compressedSize * RATIO_MAX)
        throw broken(`${name} would be more than ${RATIO_MAX} times as large unpacked, as no export is.`);
      entries.set(name, entry);
    }
  } catch (error) {
    throw unreadable(error);
  }
  return entries;
}

async function textOf(zip: ZipFile, entry: Entry | undefined, mostBytes: number): Promise<string> {
  if (entry === undefined)
    throw broken(`There is no ${MANIFEST_FILE} in it. Use a file from “Download everything (zip)”.`, "archive_unknown");
  if (entry.uncompressedSize > mostBytes) throw broken(`${entry.fileName} is too large.`);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of await openEntry(zip, entry)) chunks.push(chunk as Buffer);
  } catch (error) {
    throw unreadableEntry(entry.fileName, error);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const openEntry = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  zip.openReadStreamPromise(entry).catch((error: unknown) => {
    throw unreadableEntry(entry.fileName, error);
  });

function readManifest(text: string): Manifest {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw broken(`${MANIFEST_FILE} is no JSON.`);
  }
  const { format, version } = (content ?? {}) as { format?: unknown; version?: unknown };
  if (format !== ARCHIVE_FORMAT)
    throw broken(
      "This is the export of another program. Use a file from “Download everything (zip)”.",
      "archive_unknown",
    );
  if (typeof version === "number" && version > ARCHIVE_VERSION)
    throw broken(
      `The archive is of format ${version}, and this Leadloom reads up to ${ARCHIVE_VERSION}. Upgrade it first.`,
      "archive_newer",
    );
  const result = v.safeParse(Manifest, content);
  if (!result.success)
    throw broken(
      `${MANIFEST_FILE} does not say what it must: ${v.getDotPath(result.issues[0]) ?? "it is incomplete"}.`,
    );
  return result.output;
}

/** The directory and the manifest name the same files, of the same sizes, and all that there must be. */
function requireWhole(manifest: Manifest, files: Map<string, ArchiveFile>, entries: Map<string, Entry>): void {
  if (files.size < manifest.files.length) throw broken(`${MANIFEST_FILE} names a file twice.`);
  for (const path of [...PARTS.map(fileOf), SETTINGS_FILE])
    if (!files.has(path)) throw broken(`${MANIFEST_FILE} does not name ${path}.`);
  const known = new Set([...PARTS.map(fileOf), SETTINGS_FILE]);
  for (const { path, bytes, rows } of files.values()) {
    const entry = entries.get(path);
    const isMedium = path.startsWith("media/");
    if (!isMedium && !known.has(path)) throw broken(`${path} is no file of an export.`);
    if (entry === undefined) throw broken(`${path} is missing in it.`);
    if (entry.uncompressedSize !== bytes)
      throw broken(`${path} has ${entry.uncompressedSize} bytes, and ${MANIFEST_FILE} says ${bytes}.`);
    if (isMedium && bytes > MEDIA_MAX_BYTES) throw broken(`${path} is larger than 10 MB.`);
    if (path === SETTINGS_FILE && bytes > SETTINGS_MAX_BYTES) throw broken(`${path} is too large.`);
    if (path.endsWith(".csv") && rows === undefined)
      throw broken(`${MANIFEST_FILE} does not say how many rows ${path} has.`);
  }
  for (const path of entries.keys())
    if (path !== MANIFEST_FILE && !files.has(path))
      throw broken(`${path} is in it, and ${MANIFEST_FILE} does not name it.`);
}

/** Lets a file's bytes through, and ends with an error where they are others than the manifest says. */
function checkOf({ path, bytes, sha256 }: ArchiveFile): Transform {
  const hash = createHash("sha256");
  const text = path.startsWith("media/") ? null : new TextDecoder("utf-8", { fatal: true });
  let seen = 0;
  const isText = (chunk?: Buffer): boolean => {
    try {
      text?.decode(chunk, { stream: chunk !== undefined });
      return true;
    } catch {
      return false;
    }
  };
  const differs = () =>
    broken(`${path} is not as it was exported: its checksum is another. Download the export again.`, "archive_changed");
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      seen += chunk.length;
      if (seen > bytes) return done(differs());
      if (!isText(chunk)) return done(broken(`${path} holds bytes that are no UTF-8.`));
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done: TransformCallback) {
      if (!isText()) return done(broken(`${path} holds bytes that are no UTF-8.`));
      done(seen === bytes && hash.digest("hex") === sha256 ? null : differs());
    },
  });
}
