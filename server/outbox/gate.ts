import { sql } from "kysely";
import type { AllowedHours } from "../../domain/schedule.ts";
import { dayOf } from "../../domain/schedule.ts";
import { hoursColumns, hoursOf, type HoursRow } from "../settings/index.ts";
import type { Tx } from "../db/index.ts";
import type { SenderAccount } from "./port.ts";

/** Everything about an account that decides whether it may send now, read under lock in the claiming transaction. */
export type Gate = {
  pausedUntil: number | null;
  isStopped: boolean;
  hasAccess: boolean;
  isAutomated: boolean;
  automatedSince: number | null;
  isDryRun: boolean;
  /** messages due before it wait for the user's approval */
  dryRunEndedAt: number | null;
  hours: AllowedHours;
  lastStartedAt: number | null;
  lastGapMs: number;
  coldLeft: number;
  job: {
    id: string;
    message: string;
    mediaId: string | null;
    throttleMs: number;
    pausedUntil: number | null;
    isHeld: boolean;
  } | null;
};

type Row = HoursRow & {
  paused_until: string | null;
  stopped_at: string | null;
  daily_cap: number;
  has_access: boolean;
  auto_followups_enabled: boolean | null;
  auto_followups_since: string | null;
  dry_run: boolean | null;
  dry_run_ended_at: string | null;
  last_started_at: string | null;
  last_gap_ms: number | null;
  cold_day: string | null;
  cold_count: number | null;
  job_id: string | null;
  message: string | null;
  job_media_id: string | null;
  throttle_ms: number | null;
  job_paused_until: string | null;
  job_held_at: string | null;
};

const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/**
 * Locks the account's row and reads whether it may send.
 * @returns null when this process no longer holds the account, or it is not connected
 */
export async function readGate(tx: Tx, account: SenderAccount, now: number): Promise<Gate | null> {
  const at = new Date(now).toISOString();
  const { rows } = await sql<Row>`
    select s.paused_until, s.stopped_at, s.daily_cap, public.has_access(s.user_id, ${at}::timestamptz) as has_access,
      u.auto_followups_enabled, u.auto_followups_since, u.dry_run, u.dry_run_ended_at, ${hoursColumns("u")},
      p.last_started_at, p.last_gap_ms, p.cold_day, p.cold_count,
      j.id as job_id, j.message, j.media_id as job_media_id, j.throttle_ms, j.paused_until as job_paused_until, j.held_at as job_held_at
    from telegram_sessions s
    left join user_settings u on u.user_id = s.user_id
    left join send_pace p on p.owner_id = s.user_id
    left join bulk_jobs j on j.owner_id = s.user_id and j.status = 'in_progress'
    where s.id = ${account.accountId}::uuid and s.fence = ${String(account.fence)}::bigint and s.state = 'connected'
    for update of s`.execute(tx);
  const row = rows[0];
  if (row === undefined) return null;
  const coldToday = row.cold_day === dayOf(now) ? (row.cold_count ?? 0) : 0;
  return {
    pausedUntil: ms(row.paused_until),
    isStopped: row.stopped_at !== null,
    hasAccess: row.has_access,
    isAutomated: row.auto_followups_enabled ?? false,
    automatedSince: ms(row.auto_followups_since),
    isDryRun: row.dry_run ?? false,
    dryRunEndedAt: ms(row.dry_run_ended_at),
    hours: hoursOf(row),
    lastStartedAt: ms(row.last_started_at),
    lastGapMs: row.last_gap_ms ?? 0,
    coldLeft: row.daily_cap - coldToday,
    job:
      row.job_id === null
        ? null
        : {
            id: row.job_id,
            message: row.message ?? "",
            mediaId: row.job_media_id,
            throttleMs: row.throttle_ms ?? 0,
            pausedUntil: ms(row.job_paused_until),
            isHeld: row.job_held_at !== null,
          },
  };
}
