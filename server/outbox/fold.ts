import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";

/**
 * How long a settled message stays in the outbox. Two concurrent planners avoid queueing a step twice by the outbox's unique index, so this
 * must far exceed the duration of a planning run, and the retention of idempotency keys.
 */
const SETTLED_RETENTION_DAYS = 14;
const ROWS_PER_BATCH = 2_000;
export const EXCERPT_CHARS = 200;

/**
 * Moves old settled rows from the outbox to the ledger, owner by owner, one transaction per batch. Safe to run at any time and in several
 * processes.
 * @param retentionDays how long a settled row stays
 * @returns how many rows moved
 * @throws the first failure, after all other owners' rows have moved
 */
export async function foldSettled(
  { db, clock }: Pick<Deps, "db" | "clock">,
  retentionDays: number = SETTLED_RETENTION_DAYS,
): Promise<number> {
  const before = new Date(clock.now() - retentionDays * 86_400_000).toISOString();
  let moved = 0;
  const failures: unknown[] = [];
  for (let owner = await nextOwner(db, null, before); owner !== null; owner = await nextOwner(db, owner, before)) {
    try {
      for (let count = ROWS_PER_BATCH; count === ROWS_PER_BATCH;) {
        count = await foldBatch(db, owner, before);
        moved += count;
      }
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return moved;
}

/** Returns the next owner with rows to move. Skips from owner to owner in the index. */
async function nextOwner(db: Deps["db"], after: string | null, before: string): Promise<string | null> {
  const { rows } = await sql<{ owner_id: string | null }>`
    with recursive owners as (
      (select owner_id from outbox where settled_at is not null ${after === null ? sql`` : sql`and owner_id > ${after}::uuid`}
        order by owner_id limit 1)
      union all
      select (select o.owner_id from outbox o where o.settled_at is not null and o.owner_id > known.owner_id order by o.owner_id limit 1)
      from owners known where known.owner_id is not null
    )
    select w.owner_id from owners w where w.owner_id is not null and exists (
      select from outbox o where o.owner_id = w.owner_id and o.settled_at < ${before}::timestamptz
        and o.state not in ('pending', 'sending')) limit 1`.execute(db);
  return rows[0]?.owner_id ?? null;
}

async function foldBatch(db: Deps["db"], ownerId: string, before: string): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with settled as (
      select id from outbox where owner_id = ${ownerId}::uuid and settled_at < ${before}::timestamptz and state not in ('pending', 'sending')
      order by settled_at, id limit ${ROWS_PER_BATCH} for update skip locked
    ), gone as (
      delete from outbox where id in (select id from settled) returning *
    ), kept as (
      insert into ledger (id, owner_id, kind, state, lead_id, followup_id, epoch, reminder_id, job_id, excerpt, random_id, account_user_id,
        message_id, reason, by_key, attempts, planned_at, tried_at, settled_at)
      select g.id, g.owner_id, g.kind, g.state, g.lead_id, g.followup_id, g.epoch, g.reminder_id, g.job_id,
        left(coalesce(g.body, j.message), ${EXCERPT_CHARS}), g.random_id, g.account_user_id, g.message_id, g.reason, g.by_key, g.attempts, g.created_at,
        g.claimed_at, g.settled_at
      from gone g left join bulk_jobs j on j.id = g.job_id returning id
    )
    select count(*)::int as moved from kept`.execute(db);
  return rows[0]?.moved ?? 0;
}
