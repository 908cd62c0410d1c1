import { sql } from "kysely";
import type { DbOrTx, Db } from "../db/index.ts";

/** Stores when an account's next call begins, and the pause of automatic sends after it. */
export const startPace = (db: DbOrTx, ownerId: string, pace: { startAt: number; gapMs: number }) =>
  sql`
    insert into send_pace (owner_id, last_started_at, last_gap_ms)
    values (${ownerId}, ${new Date(pace.startAt).toISOString()}, ${pace.gapMs})
    on conflict (owner_id) do update set last_started_at = excluded.last_started_at, last_gap_ms = excluded.last_gap_ms`.execute(
    db,
  );

/** Restarts the pause after the last call from now, because the clock was set back since. */
export const restartPace = (db: DbOrTx, ownerId: string, now: number) =>
  sql`update send_pace set last_started_at = ${new Date(now).toISOString()}::timestamptz where owner_id = ${ownerId}::uuid`.execute(
    db,
  );

/** Stores that the call began later than planned, so that the pause counts from then. */
export const raisePace = (db: DbOrTx, ownerId: string, startedAt: number) =>
  sql`
    update send_pace set last_started_at = greatest(last_started_at, ${new Date(startedAt).toISOString()}::timestamptz)
    where owner_id = ${ownerId}::uuid`.execute(db);

/** Returns how many cold messages were sent today (UTC), for the account's daily limit. */
export async function coldSentToday(db: Db, ownerId: string, at: string): Promise<number> {
  const { rows } = await sql<{ cold_count: number }>`
    select cold_count from send_pace where owner_id = ${ownerId}::uuid and cold_day = (${at}::timestamptz at time zone 'UTC')::date`.execute(
    db,
  );
  return rows[0]?.cold_count ?? 0;
}
