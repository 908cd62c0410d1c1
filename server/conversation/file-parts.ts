import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import type { Db } from "../db/index.ts";

/** Telegram sends files in parts whose size divides a megabyte. */
export const PART_BYTES = 524_288;

/** Evicting reads all parts. The more parts there are, the less often it runs, so that the average cost per part is constant. */
const LOOKED_OVER = 1_024;

/** Returns a cached part and updates its last use. */
export async function readPart(db: Db, messageId: string, part: number, at: string): Promise<Uint8Array | null> {
  const row = await db
    .updateTable("file_parts")
    .set({ used_at: at })
    .where("message_id", "=", messageId)
    .where("part", "=", part)
    .returning("bytes")
    .executeTakeFirst();
  return row?.bytes ?? null;
}

/** Caches a part. From time to time evicts the least recently used ones beyond the installation's limit. */
export async function keepPart(
  { db, engine, clock, config }: Pick<Deps, "db" | "engine" | "clock" | "config">,
  part: { ownerId: string; messageId: string; part: number; bytes: Uint8Array },
): Promise<void> {
  const { ownerId, messageId, bytes } = part;
  await db
    .insertInto("file_parts")
    .values({
      owner_id: ownerId,
      message_id: messageId,
      part: part.part,
      bytes,
      size: bytes.length,
      used_at: clock.iso(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (Math.random() * config.mediaCacheBytes >= bytes.length * LOOKED_OVER) return;
  const { numAffectedRows } = await sql`
    delete from file_parts f using (
      select message_id, part, sum(size) over (order by used_at desc, message_id desc, part desc) as total from file_parts
    ) k where k.message_id = f.message_id and k.part = f.part and k.total > ${config.mediaCacheBytes}::bigint`.execute(
    db,
  );
  // The embedded database has no autovacuum.
  if (engine.kind === "pglite" && Number(numAffectedRows ?? 0) > 0) await engine.pool.query("vacuum public.file_parts");
}
