import { sql } from "kysely";
import { UNDO_MS } from "../../domain/limits.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { nameTaken, notFound, refuse } from "../core/problem.ts";
import { enforceQuota } from "../owned-data/quota.ts";
import { isLostRace, isUniqueViolation, type Db, type Tx } from "../db/index.ts";

/** Tags, fields and views: few per owner, and deleted ones can be restored for a minute. */
export type Kind = { table: "tags" | "fields" | "views"; noun: "tag" | "field" | "view" };
export type OwnedRef = { ownerId: string; id: string };
/** The time of a change, and the name of the API key that made it; null for the user. */
export type AuditStamp = { at: string; byKey: string | null };

/** Whatever was deleted since then can be restored. */
const oldestRestorable = (now: number): string => new Date(now - UNDO_MS).toISOString();
const ROWS_A_BATCH = 5_000;

const TRIES = 3;

/**
 * Runs one edit of an owner's tags, fields or views under an exclusive lock, and notifies the owner's pages. Retries after a conflict with
 * a change of the same leads.
 * @param first locks leads, which come before tags and fields
 * @throws ProblemError 409 for a name that is taken
 */
export async function edit<T>(
  { db, bus }: Pick<Deps, "db" | "bus">,
  kind: Kind,
  ownerId: string,
  work: (tx: Tx) => Promise<T>,
  { first, triesLeft = TRIES }: { first?: ((tx: Tx) => Promise<unknown>) | undefined; triesLeft?: number } = {},
): Promise<T> {
  const { table, noun } = kind;
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${table}), hashtext(${ownerId}))`.execute(tx);
      await first?.(tx);
      // The order in which changes of a lead lock them.
      await sql`select from ${sql.table(table)} where owner_id = ${ownerId}::uuid order by id for no key update`.execute(
        tx,
      );
      const result = await work(tx);
      await publishEvent(bus, ownerId, `${table}.changed`, {}, tx);
      return result;
    });
  } catch (error) {
    if (isUniqueViolation(error) && (error as { constraint?: unknown }).constraint === `${table}_name_key`)
      throw nameTaken(`${noun}_name_taken`, { reason: "new" });
    if (triesLeft > 1 && isLostRace(error) && !isUniqueViolation(error))
      return edit({ db, bus }, kind, ownerId, work, { first, triesLeft: triesLeft - 1 });
    throw error;
  }
}

/**
 * Soft-deletes an item.
 * @returns how many leads had it; null for a view
 * @throws ProblemError 404
 */
export async function remove(tx: Tx, { table }: Kind, { ownerId, id }: OwnedRef, at: string): Promise<number | null> {
  const { rows } = await sql<{ leads: number | null }>`update ${sql.table(table)} t set deleted_at = ${at}::timestamptz
    where id = ${id}::uuid and owner_id = ${ownerId}::uuid and deleted_at is null
    returning (to_jsonb(t) ->> 'leads')::int as leads`.execute(tx);
  const removed = rows[0];
  if (removed === undefined) throw notFound();
  return removed.leads;
}

/**
 * Restores an item deleted within the last minute, with its leads. Does nothing for an item that is not deleted or does not exist.
 * @returns how many leads get it back
 * @throws ProblemError 409 when its name or its place is taken
 */
export async function restoreDeleted(tx: Tx, kind: Kind, { ownerId, id }: OwnedRef, now: number): Promise<number> {
  const { table, noun } = kind;
  const { rows } = await sql<{ leads: number | null; is_name_taken: boolean }>`
    select (to_jsonb(t) ->> 'leads')::int as leads, exists (select from ${sql.table(table)} o
      where o.owner_id = t.owner_id and o.deleted_at is null and lower(o.name) = lower(t.name)) as is_name_taken
    from ${sql.table(table)} t where id = ${id}::uuid and owner_id = ${ownerId}::uuid
      and deleted_at >= ${oldestRestorable(now)}::timestamptz`.execute(tx);
  const deleted = rows[0];
  if (deleted === undefined) return 0;
  await enforceQuota(tx, kind.table, ownerId);
  if (deleted.is_name_taken) throw refuse(409, `${noun}_name_taken`, { reason: "restored" });
  // If another field became the value field in the meantime, it stays.
  if (table === "fields")
    await sql`update fields f set is_value = false where id = ${id}::uuid and is_value and exists (
      select from fields o where o.owner_id = f.owner_id and o.is_value and o.deleted_at is null)`.execute(tx);
  await sql`update ${sql.table(table)} set deleted_at = null where id = ${id}::uuid`.execute(tx);
  return deleted.leads ?? 0;
}

/**
 * Erases what can no longer be restored, values first and in batches, so that other work does not wait long. Safe to run at any time and in
 * several processes.
 */
export async function eraseDeletedParts({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  const before = oldestRestorable(clock.now());
  await eraseHanging(db, "tags", "lead_tags", "tag_id", before);
  await eraseHanging(db, "fields", "lead_fields", "field_id", before);
  for (const table of ["tags", "fields", "views"])
    await sql`delete from ${sql.table(table)} where deleted_at < ${before}::timestamptz`.execute(db);
}

async function eraseHanging(db: Db, table: string, hanging: string, key: string, before: string): Promise<void> {
  for (let found = ROWS_A_BATCH; found === ROWS_A_BATCH;) {
    found = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string; lead_id: string }>`
        select h.id, h.lead_id from ${sql.table(table)} t join ${sql.table(hanging)} h on h.${sql.id(key)} = t.id
        where t.deleted_at < ${before}::timestamptz limit ${ROWS_A_BATCH}`.execute(tx);
      // Leads are locked first everywhere.
      await sql`select from leads where id = any(${rows.map((row) => row.lead_id)}::uuid[]) order by id for no key update`.execute(
        tx,
      );
      await sql`delete from ${sql.table(hanging)} where id = any(${rows.map((row) => row.id)}::bigint[])`.execute(tx);
      return rows.length;
    });
  }
}
