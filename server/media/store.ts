import { createHash } from "node:crypto";
import { sql } from "kysely";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import type { Deps } from "../core/deps.ts";
import { refuse } from "../core/problem.ts";
import type { Db, Tx } from "../db/index.ts";
import { fileTypeFromBuffer } from "file-type";

export type LoadedMedia = MediaType & { id: string; load(): Promise<Uint8Array> };

export const tooLarge = () => refuse(413, "too_large", { reason: "media" });

/** A file that passed the size and type checks. */
export type CheckedFile = MediaType & { content: Uint8Array; sha256: string };

/**
 * Checks a file before it is stored.
 * @throws ProblemError 413 over 10,485,760 bytes; 415 if it is not an image or video
 */
export async function checkMedia(content: Uint8Array | null): Promise<CheckedFile | null> {
  if (content === null) return null;
  if (content.length > MEDIA_MAX_BYTES) throw tooLarge();
  const type = await mediaTypeOf(content);
  if (type === null) {
    throw refuse(415, "unsupported_media_type", { reason: "media" });
  }
  return { ...type, content, sha256: createHash("sha256").update(content).digest("hex") };
}

/**
 * Stores an owner's file in the caller's transaction; the same content is stored once.
 * @returns its id, or null without a file
 * @throws ProblemError 409 when the owner's storage quota would be exceeded
 */
export async function storeMedia(
  tx: Tx,
  { config, clock }: Pick<Deps, "config" | "clock">,
  ownerId: string,
  file: CheckedFile | null,
): Promise<string | null> {
  if (file === null) return null;
  const { content, ...known } = file;
  const created_at = clock.iso();
  // A repeated upload renews the file, so that tidying does not delete it before it is used.
  const stored = await tx
    .updateTable("media")
    .set({ created_at })
    .where("owner_id", "=", ownerId)
    .where("sha256", "=", file.sha256)
    .returning("id")
    .executeTakeFirst();
  if (stored !== undefined) return stored.id;
  await requireSpace(tx, ownerId, content.length, config.mediaPerUserBytes);
  const { id } = await tx
    .insertInto("media")
    .values({ owner_id: ownerId, ...known, size: content.length, created_at })
    .onConflict((conflict) => conflict.columns(["owner_id", "sha256"]).doUpdateSet({ created_at }))
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("media_blobs")
    .values({ media_id: id, content })
    .onConflict((conflict) => conflict.column("media_id").doNothing())
    .execute();
  return id;
}

/** Checks the quota under a lock: two concurrent uploads would both pass. */
async function requireSpace(tx: Tx, ownerId: string, size: number, most: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('media'), hashtext(${ownerId}))`.execute(tx);
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(size), 0)::float8 as total from media where owner_id = ${ownerId}::uuid`.execute(tx);
  if ((rows[0]?.total ?? 0) + size <= most) return;
  throw refuse(409, "media_full", { megabytes: most / 1_048_576 });
}

/**
 * Loads an owner's file for sending; its bytes are read on demand.
 * @throws when it does not exist
 */
export async function loadMedia(db: Db, ownerId: string, id: string): Promise<LoadedMedia> {
  const media = await db
    .selectFrom("media")
    .select(["id", "kind", "extension", "mime"])
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return { ...media, load: async () => (await readRange(db, id, 0, MEDIA_MAX_BYTES)) ?? new Uint8Array() };
}

/** Reads bytes `start` up to `start + length` of a file. It is stored uncompressed, so only these are read. */
export async function readRange(db: Db, id: string, start: number, length: number): Promise<Uint8Array | null> {
  const { rows } = await sql<{ bytes: Uint8Array }>`
    select substring(content from ${start + 1}::int for ${length}::int) as bytes from media_blobs where media_id = ${id}::uuid`.execute(
    db,
  );
  return rows[0]?.bytes ?? null;
}

/** Detects a file's type from its first bytes; its name and declared type are ignored. */
export type MediaType = { kind: "image" | "video"; extension: string; mime: string };

const ACCEPTED: Record<string, MediaType> = {
  png: { kind: "image", extension: "png", mime: "image/png" },
  apng: { kind: "image", extension: "png", mime: "image/png" },
  jpg: { kind: "image", extension: "jpg", mime: "image/jpeg" },
  gif: { kind: "image", extension: "gif", mime: "image/gif" },
  webp: { kind: "image", extension: "webp", mime: "image/webp" },
  mp4: { kind: "video", extension: "mp4", mime: "video/mp4" },
  m4v: { kind: "video", extension: "mp4", mime: "video/mp4" },
  mov: { kind: "video", extension: "mov", mime: "video/quicktime" },
  webm: { kind: "video", extension: "webm", mime: "video/webm" },
};

/** Returns the image or video type of these bytes, or null if Telegram or browsers cannot show them. */
export async function mediaTypeOf(content: Uint8Array): Promise<MediaType | null> {
  const found = await fileTypeFromBuffer(content).catch(() => undefined);
  return found === undefined ? null : (ACCEPTED[found.ext] ?? null);
}

/** Reads an HTTP range header with one range (RFC 9110): `whole` without one, `outside` for a range beyond the file. */
export function readRangeHeader(
  header: string | undefined,
  size: number,
): { start: number; end: number } | "whole" | "outside" {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null || (match[1] === "" && match[2] === "")) return "whole";
  if (match[1] === "") {
    const last = Number(match[2]);
    return last === 0 ? "outside" : { start: Math.max(0, size - last), end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  return start >= size || end < start ? "outside" : { start, end };
}
