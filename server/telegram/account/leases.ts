import { sql } from "kysely";
import type { Db } from "../../db/index.ts";
import type { TelegramSessionState } from "../../db/tables/telegram.ts";

export const LEASE_MS = 10_000;
/** Messages are still received this long after the subscription ended (semantics of billing). */
const INTAKE_DAYS_WITHOUT_ACCESS = 7;
const EMPTY_ROW_RETENTION = "1 hour";

export type LeasedRow = {
  id: string;
  user_id: string;
  telegram_user_id: string;
  fence: string;
  state: TelegramSessionState;
  ended_at: string | null;
  unusable_since: string | null;
};

/**
 * Stores which worker holds which account. Lease times use the database's real time, the same clock for all workers; neither a skewed host
 * nor the sandbox's movable clock can extend a lease.
 */
export function createLeases(db: Db) {
  // Connected accounts, and ended ones whose keys are kept for the log-out at Telegram.
  const wanted = (now: string) => sql`(
    (t.state = 'connected' and (t.access_ended_at is null
      or t.access_ended_at > ${now}::timestamptz - make_interval(days => ${INTAKE_DAYS_WITHOUT_ACCESS}::int)))
    or (t.state in ('disconnected', 'ended') and exists (select from public.telegram_auth_keys k where k.account_id = t.id)))`;
  // The end of a lease is final, so a value read earlier is still valid.
  const free = sql`(t.lease_owner is null
    or exists (select from public.telegram_workers e where e.id = t.lease_owner and e.ended_at is not null))`;
  const until = sql`clock_timestamp() + make_interval(secs => ${LEASE_MS / 1000}::float8)`;

  return {
    /** Starts a lease under a new name. */
    async join(worker: string, mostAccounts: number): Promise<void> {
      await sql`insert into public.telegram_workers (id, lease_until, most_accounts)
        values (${worker}, ${until}, ${mostAccounts}::int)`.execute(db);
    },
    /**
     * Renews the worker's lease and ends expired ones.
     * @returns whether the own lease was still valid, how many others were ended, and in how many ms the next one expires
     */
    async renew(worker: string): Promise<{ isRenewed: boolean; ended: number; nextEndMs: number | null }> {
      const { rows } = await sql<{ renewed: number; ended: number; next_end: number | null }>`
        with mine as (
          update public.telegram_workers set lease_until = ${until} where id = ${worker} and ended_at is null returning id
        ), over as (
          update public.telegram_workers set ended_at = clock_timestamp() where id in (
            select id from public.telegram_workers
            where id <> ${worker} and ended_at is null and lease_until < clock_timestamp() for update skip locked
          ) returning id
        )
        select (select count(*) from mine)::int as renewed, (select count(*) from over)::int as ended,
          (select extract(epoch from min(lease_until) - clock_timestamp()) * 1000 from public.telegram_workers
            where id <> ${worker} and ended_at is null and lease_until >= clock_timestamp())::float8 as next_end`.execute(
        db,
      );
      const { renewed = 0, ended = 0, next_end: nextEndMs = null } = rows[0] ?? {};
      return { isRenewed: renewed > 0, ended, nextEndMs };
    },
    /** Returns the accounts that the worker holds, and whether it should still hold them. */
    async mine(worker: string, now: string): Promise<(LeasedRow & { wanted: boolean })[]> {
      const { rows } = await sql<LeasedRow & { wanted: boolean }>`
        select t.id, t.user_id, t.telegram_user_id, t.fence, t.state, t.ended_at, t.unusable_since, ${wanted(now)} as wanted
        from public.telegram_sessions t where t.lease_owner = ${worker}`.execute(db);
      return rows;
    },
    /**
     * Returns the number of accounts to hold, of unheld ones, of unheld ones that this worker may take (excluding `resting`), and the
     * capacities of the live workers.
     */
    async spread(
      resting: readonly string[],
      now: string,
    ): Promise<{ accounts: number; free: number; takeable: number; ceilings: number[] }> {
      const { rows } = await sql<{ accounts: number; free: number; takeable: number; ceilings: number[] | null }>`
        select count(*)::int as accounts, (count(*) filter (where ${free}))::int as free,
          (count(*) filter (where ${free} and not t.id = any(${resting}::uuid[])))::int as takeable,
          (select array_agg(most_accounts) from public.telegram_workers
            where ended_at is null and lease_until > clock_timestamp()) as ceilings
        from public.telegram_sessions t where ${wanted(now)}`.execute(db);
      const { accounts = 0, free: unheld = 0, takeable = 0, ceilings = null } = rows[0] ?? {};
      return { accounts, free: unheld, takeable, ceilings: ceilings ?? [] };
    },
    /** Takes free accounts, each with a new fence. Skips resting accounts and locked rows. */
    async take(worker: string, limit: number, resting: readonly string[], now: string): Promise<LeasedRow[]> {
      const { rows } = await sql<LeasedRow>`
        update public.telegram_sessions s set lease_owner = ${worker}, fence = s.fence + 1
        where s.id in (
          select t.id from public.telegram_sessions t
          where ${free} and ${wanted(now)} and not t.id = any(${resting}::uuid[])
          order by t.state = 'connected' limit ${limit} for update of t skip locked)
        returning s.id, s.user_id, s.telegram_user_id, s.fence, s.state, s.ended_at, s.unusable_since`.execute(db);
      return rows;
    },
    /** Releases an account, so that another worker can take it at once. */
    async release(worker: string, id: string, fence: bigint): Promise<void> {
      await sql`update public.telegram_sessions set lease_owner = null
        where id = ${id} and lease_owner = ${worker} and fence = ${fence.toString()}`.execute(db);
    },
    async noteActivity(entries: readonly { id: string; at: string }[]): Promise<void> {
      if (entries.length === 0) return;
      await sql`update public.telegram_sessions s set last_activity_at = a.at
        from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as a(id uuid, at timestamptz) where s.id = a.id`.execute(
        db,
      );
    },
    /** Stores since when accounts are unusable (null: usable again), if still held under the given fence. */
    async storeUnusableSince(entries: readonly { id: string; fence: string; since: string | null }[]): Promise<void> {
      if (entries.length === 0) return;
      await sql`update public.telegram_sessions s set unusable_since = a.since
        from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as a(id uuid, fence bigint, since timestamptz)
        where s.id = a.id and s.fence = a.fence`.execute(db);
    },
    /** Ends the worker's lease, releases its accounts, and deletes leases that ended long ago. */
    async leave(worker: string): Promise<void> {
      await db.deleteFrom("telegram_workers").where("id", "=", worker).execute();
    },
    async forgetEnded(): Promise<void> {
      await sql`delete from public.telegram_workers
        where ended_at < clock_timestamp() - ${EMPTY_ROW_RETENTION}::interval`.execute(db);
    },
  };
}
