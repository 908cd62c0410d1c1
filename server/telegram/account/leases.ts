import { sql } from "kysely";
import type { Db } from "../../db/index.ts";
import type { TelegramSessionState } from "../../db/tables/telegram.ts";

export const LEASE_MS = 10_000;
/** Messages are still collected this long after the subscription ended (semantics of billing). */
const INTAKE_DAYS_WITHOUT_ACCESS = 7;
const TAKE_AT_ONCE = 50;

export type LeasedRow = {
  id: string;
  user_id: string;
  telegram_user_id: string;
  fence: string;
  state: TelegramSessionState;
  ended_at: string | null;
};

/**
 * Which worker holds which account. Lease times are the database's own real time: one clock for all workers, which neither a
 * skewed host nor the sandbox's movable clock can push over a lease's end.
 */
export function createLeases(db: Db, worker: string) {
  // Connected accounts, and ended ones whose keys still wait for a log-out at Telegram.
  const wanted = (now: string) => sql`(
    (t.state = 'connected' and (t.access_ended_at is null
      or t.access_ended_at > ${now}::timestamptz - make_interval(days => ${INTAKE_DAYS_WITHOUT_ACCESS}::int)))
    or (t.state in ('disconnected', 'ended') and exists (select from public.telegram_auth_keys k where k.account_id = t.id)))`;
  const until = sql`clock_timestamp() + make_interval(secs => ${LEASE_MS / 1000}::float8)`;

  return {
    /** Says that this worker lives. @returns how many accounts are its fair share */
    async fairShare(now: string): Promise<number> {
      await sql`insert into public.telegram_workers (id, seen_at) values (${worker}, clock_timestamp())
        on conflict (id) do update set seen_at = excluded.seen_at`.execute(db);
      await sql`delete from public.telegram_workers where seen_at < clock_timestamp() - interval '1 hour'`.execute(db);
      const { rows } = await sql<{ accounts: number; workers: number }>`select
        (select count(*) from public.telegram_sessions t where ${wanted(now)})::int as accounts,
        (select count(*) from public.telegram_workers
          where seen_at > clock_timestamp() - make_interval(secs => ${LEASE_MS / 1000}::float8))::int as workers`.execute(
        db,
      );
      const { accounts = 0, workers = 1 } = rows[0] ?? {};
      return Math.ceil(accounts / Math.max(1, workers));
    },
    /** Prolongs what this worker holds and reads how it stands. */
    async renew(now: string): Promise<(LeasedRow & { wanted: boolean })[]> {
      const { rows } = await sql<LeasedRow & { wanted: boolean }>`
        update public.telegram_sessions t set lease_until = ${until} where t.lease_owner = ${worker}
        returning t.id, t.user_id, t.telegram_user_id, t.fence, t.state, t.ended_at, ${wanted(now)} as wanted`.execute(
        db,
      );
      return rows;
    },
    /** Takes free accounts, each under a new fence. */
    async take(limit: number, now: string): Promise<LeasedRow[]> {
      const { rows } = await sql<LeasedRow>`
        update public.telegram_sessions s set lease_owner = ${worker}, fence = s.fence + 1, lease_until = ${until}
        where s.id in (
          select t.id from public.telegram_sessions t
          where (t.lease_until is null or t.lease_until < clock_timestamp()) and ${wanted(now)}
          order by t.state = 'connected', t.lease_until nulls first
          limit ${Math.min(limit, TAKE_AT_ONCE)} for update skip locked)
        returning s.id, s.user_id, s.telegram_user_id, s.fence, s.state, s.ended_at`.execute(db);
      return rows;
    },
    /** Gives an account back, so that another worker may take it at once. */
    async release(id: string, fence: bigint): Promise<void> {
      await sql`update public.telegram_sessions set lease_owner = null, lease_until = null
        where id = ${id} and lease_owner = ${worker} and fence = ${fence.toString()}`.execute(db);
    },
    async noteActivity(entries: readonly { id: string; at: string }[]): Promise<void> {
      if (entries.length === 0) return;
      await sql`update public.telegram_sessions s set last_activity_at = a.at
        from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as a(id uuid, at timestamptz) where s.id = a.id`.execute(
        db,
      );
    },
    async leave(): Promise<void> {
      await db.deleteFrom("telegram_workers").where("id", "=", worker).execute();
    },
  };
}
export type Leases = ReturnType<typeof createLeases>;
