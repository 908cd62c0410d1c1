import { createHash } from "node:crypto";
import { sql } from "kysely";
import { MEDIA_MAX_BYTES } from "../../domain/limits.ts";
import { ProblemError } from "../core/problem.ts";
import type { Db } from "../db/index.ts";
import { mediaTypeOf, type MediaType } from "./kind.ts";

export type LoadedMedia = MediaType & { id: string; load(): Promise<Uint8Array> };

export const tooLarge = () => new ProblemError(413, "too_large", "File too large. Max 10MB allowed.");

/**
 * Keeps an owner's file, once however often it is sent, and gives its id.
 * @throws ProblemError 413 over 10,485,760 bytes; 415 when its first bytes are no image or video
 */
export async function storeMedia(db: Db, ownerId: string, content: Uint8Array, at: string): Promise<string> {
  if (content.length > MEDIA_MAX_BYTES) throw tooLarge();
  const type = await mediaTypeOf(content);
  if (type === null) {
    throw new ProblemError(
      415,
      "unsupported_media_type",
      "Attach a picture (PNG, JPEG, GIF, WebP) or a video (MP4, MOV, WebM).",
    );
  }
  const sha256 = createHash("sha256").update(content).digest("hex");
  return db.transaction().execute(async (tx) => {
    // A file sent again is new again: it is not put away before it is used.
    const { id } = await tx
      .insertInto("media")
      .values({ owner_id: ownerId, sha256, ...type, size: content.length, created_at: at })
      .onConflict((conflict) => conflict.columns(["owner_id", "sha256"]).doUpdateSet({ sha256, created_at: at }))
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx
      .insertInto("media_blobs")
      .values({ media_id: id, content })
      .onConflict((conflict) => conflict.column("media_id").doNothing())
      .execute();
    return id;
  });
}

/**
 * An owner's file for sending; its bytes are read when they are needed.
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

/** Bytes `start` up to `start + length` of a file; stored uncompressed, so only these are read. */
export async function readRange(db: Db, id: string, start: number, length: number): Promise<Uint8Array | null> {
  const { rows } = await sql<{ bytes: Uint8Array }>`
    select substring(content from ${start + 1}::int for ${length}::int) as bytes from media_blobs where media_id = ${id}::uuid`.execute(
    db,
  );
  return rows[0]?.bytes ?? null;
}
