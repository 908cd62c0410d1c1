import { createHash } from "node:crypto";
import { Transform, type Readable, type TransformCallback } from "node:stream";
import * as v from "valibot";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, MANIFEST_FILE, Manifest, type ArchiveFile } from "../../domain/archive.ts";
import type { ArchiveBroken } from "../../domain/archive-problems.ts";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { ProblemError, refuse } from "../core/problem.ts";
import { PARTS } from "../owned-data/index.ts";
import { fileOf, SETTINGS_FILE } from "./parts.ts";

const MANIFEST_MAX_BYTES = 33_554_432;
const SETTINGS_MAX_BYTES = 65_536;
const ENTRIES_MAX = 100_000;
/** Highest accepted compression ratio. Deflate reaches about 1,000; text that people write stays far below 300. */
const RATIO_MAX = 300;
const RATIO_FROM_BYTES = 10_485_760;
/** The unpacked files may be this many times as large as the largest accepted zip. */
const UNPACKED_TIMES = 20;

/** An archive whose directory matches its manifest. Files are read and checked one by one. */
export type Archive = {
  manifest: Manifest;
  /** @throws ProblemError 422 during reading, if the file differs from the manifest */
  read(path: string): Promise<Readable>;
  fileOf(path: string): ArchiveFile;
  close(): void;
};

/** Returns a 422: why the archive cannot be imported. */
export const broken = <Reason extends keyof ArchiveBroken>(
  reason: Reason,
  ...[params]: Parameters<ArchiveBroken[Reason]>
): ProblemError => refuse(422, "archive_broken", { reason, ...params });

/**
 * Opens an archive. Nothing is unpacked to disk, and no file is read beyond the size in the manifest.
 * @param mostBytes size of the largest accepted zip
 * @throws ProblemError 422 that says what is wrong with it
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

type Damage = "no_zip" | "split" | "outside" | "encrypted" | "compression";
const WHY: readonly [RegExp, Damage][] = [
  [/end of central directory|central directory file header|comment length|not a zip/i, "no_zip"],
  [/multi-disk/i, "split"],
  [/absolute path|invalid relative path|invalid characters/i, "outside"],
  [/encrypt/i, "encrypted"],
  [/unsupported compression/i, "compression"],
];

const whyOf = (error: unknown): Damage | null =>
  WHY.find(([pattern]) => pattern.test((error as Error).message))?.[1] ?? null;
function unreadable(error: unknown): unknown {
  if (error instanceof ProblemError || (error as NodeJS.ErrnoException).syscall !== undefined) return error;
  return broken(whyOf(error) ?? "damaged");
}
function unreadableEntry(path: string, error: unknown): Error {
  if (error instanceof ProblemError) return error;
  const why = whyOf(error);
  return why === null ? broken("file_damaged", { path }) : broken(why);
}

async function readDirectory(zip: ZipFile, mostBytes: number): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  if (zip.entryCount > ENTRIES_MAX) throw broken("too_many_files", { limit: ENTRIES_MAX });
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name } = entry;
      // Some programs add entries for folders.
      if (name.endsWith("/") && entry.uncompressedSize === 0) continue;
      if (entries.has(name)) throw broken("file_twice", { path: name });
      if (entry.isEncrypted()) throw broken("encrypted");
      unpacked += entry.uncompressedSize;
      if (unpacked > mostBytes * UNPACKED_TIMES) throw broken("too_large");
      if (entry.uncompressedSize > RATIO_FROM_BYTES && entry.uncompressedSize > entry.compressedSize * RATIO_MAX)
        throw broken("bomb", { path: name, times: RATIO_MAX });
      entries.set(name, entry);
    }
  } catch (error) {
    throw unreadable(error);
  }
  return entries;
}

async function textOf(zip: ZipFile, entry: Entry | undefined, mostBytes: number): Promise<string> {
  if (entry === undefined) throw refuse(422, "archive_unknown", { reason: "no_manifest" });
  if (entry.uncompressedSize > mostBytes) throw broken("file_too_large", { path: entry.fileName });
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
    throw broken("no_json", { path: MANIFEST_FILE });
  }
  const { format, version } = (content ?? {}) as { format?: unknown; version?: unknown };
  if (format !== ARCHIVE_FORMAT) throw refuse(422, "archive_unknown", { reason: "other_program" });
  if (typeof version === "number" && version > ARCHIVE_VERSION)
    throw refuse(422, "archive_newer", { version, known: ARCHIVE_VERSION });
  const result = v.safeParse(Manifest, content);
  if (!result.success)
    throw broken("manifest_incomplete", {
      path: MANIFEST_FILE,
      place: v.getDotPath(result.issues[0]) ?? MANIFEST_FILE,
    });
  return result.output;
}

/** Checks that the directory and the manifest list the same files with the same sizes, and that no required file is missing. */
function requireWhole(manifest: Manifest, files: Map<string, ArchiveFile>, entries: Map<string, Entry>): void {
  if (files.size < manifest.files.length) throw broken("listed_twice", { path: MANIFEST_FILE });
  for (const path of [...PARTS.map(fileOf), SETTINGS_FILE]) if (!files.has(path)) throw broken("not_listed", { path });
  const known = new Set([...PARTS.map(fileOf), SETTINGS_FILE]);
  for (const { path, bytes, rows } of files.values()) {
    const entry = entries.get(path);
    const isMedium = path.startsWith("media/");
    if (!isMedium && !known.has(path)) throw broken("no_file_of_export", { path });
    if (entry === undefined) throw broken("file_missing", { path });
    if (entry.uncompressedSize !== bytes)
      throw broken("other_size", { path, bytes: entry.uncompressedSize, listed: bytes });
    if (isMedium && bytes > MEDIA_MAX_BYTES) throw broken("media_too_large", { path });
    if (path === SETTINGS_FILE && bytes > SETTINGS_MAX_BYTES) throw broken("file_too_large", { path });
    if (path.endsWith(".csv") && rows === undefined) throw broken("rows_missing", { path });
  }
  for (const path of entries.keys())
    if (path !== MANIFEST_FILE && !files.has(path)) throw broken("file_unlisted", { path });
}

/** Passes a file's bytes through; fails if they differ from the manifest. */
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
  const differs = () => refuse(422, "archive_changed", { path });
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      seen += chunk.length;
      if (seen > bytes) return done(differs());
      if (!isText(chunk)) return done(broken("not_utf8", { path }));
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done: TransformCallback) {
      if (!isText()) return done(broken("not_utf8", { path }));
      done(seen === bytes && hash.digest("hex") === sha256 ? null : differs());
    },
  });
}
