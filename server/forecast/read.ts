import { sql, type RawBuilder } from "kysely";
import type { ForecastKind } from "../../domain/forecast.ts";
import { BULK_GUARD_MS, dayOf } from "../../domain/schedule.ts";
import { PRIORITY } from "../../domain/send-pace.ts";
import { hoursColumns, type HoursRow } from "../settings/index.ts";
import { orderOf } from "../lead-rows/step-places.ts";
import { HOT_STATEMENT, type DbOrTx } from "../db/index.ts";
import { dueAt } from "../reminders/repository.ts";

/** Runs on every load of the dashboard; planning these statements takes as long as running them. */
export const hot = sql.raw(HOT_STATEMENT);

/** Milliseconds since 1970, like all times of a forecast. */
export const ms = (column: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`date_part('epoch', ${column}) * 1000`;
const at = (time: number): RawBuilder<unknown> => sql`${new Date(time).toISOString()}::timestamptz`;

/** Selects what a lead's automation depends on, for lead `l`. */
const LEAD = sql`l.stage_id, l.stage_entry_epoch as lead_epoch, l.followup_order_sent as cursor,
  ${ms(sql`greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at)`)} as anchor, l.unreachable_reason,
  l.opted_out_at is not null as is_opted_out, l.held_at is not null and l.held_until is null as is_held, ${ms(sql`l.held_until`)} as held_until,
  array(select f.id from followups f where f.stage_id = l.stage_id and f.followup_order >= l.followup_order_sent and (
    coalesce(l.skipped_epoch = l.stage_entry_epoch and f.id = any(l.skipped_steps), false)
    or f.created_at >= l.stage_entered_at and exists (
      select from step_uses u where u.lead_id = l.id and u.followup_id = f.id and u.epoch = l.stage_entry_epoch
        and u.state in ('sent', 'unknown') offset 0))) as passed,
  case when l.skipped_epoch = l.stage_entry_epoch then ${ms(sql`l.skipped_until`)} end as counts_from,
  ${ms(sql`l.last_message_at`)} as last_message_at, ${ms(sql`l.imported_at`)} as imported_at,
  coalesce(l.last_inbound_at > greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at), false) or case
    when l.last_inbound_at = greatest(l.stage_entered_at, l.last_followup_sent_at, l.last_manual_at) and l.last_inbound_at > l.stage_entered_at
    then coalesce((select not m.is_outgoing from messages m
      where m.owner_id = l.owner_id and m.peer_user_id = l.telegram_user_id and m.state in ('received', 'sent')
      order by m.sent_at desc, m.message_id desc limit 1), false)
    else false end as has_replied`;

export type LeadRow = {
  lead_id: string;
  stage_id: string | null;
  lead_epoch: number;
  cursor: number;
  anchor: number;
  unreachable_reason: string | null;
  is_opted_out: boolean;
  is_held: boolean;
  held_until: number | null;
  passed: string[];
  counts_from: number | null;
  last_message_at: number | null;
  imported_at: number | null;
  has_replied: boolean;
};

export type AccountRow = {
  is_connected: boolean;
  paused_until: string | null;
  stopped_at: string | null;
  daily_cap: number | null;
  auto_followups_enabled: boolean | null;
  auto_followups_since: string | null;
  dry_run: boolean | null;
  dry_run_ended_at: string | null;
  last_started_at: string | null;
  last_gap_ms: number | null;
  cold_today: number;
  job_id: string | null;
  job_message: string | null;
  throttle_ms: number | null;
  job_paused_until: string | null;
  job_held_at: string | null;
  status: string | null;
  expires_at: string | null;
  current_period_end: string | null;
  cancel_at_period_end: boolean | null;
  inner_pad: Uint8Array;
  outer_pad: Uint8Array;
} & HoursRow;

/** Reads the account with its settings, sending rate, running job and subscription: always one row. */
export async function readAccount(db: DbOrTx, ownerId: string, now: number): Promise<AccountRow> {
  const { rows } = await sql<AccountRow>`${hot}
    select s.id is not null as is_connected, s.paused_until, s.stopped_at, s.daily_cap,
      u.auto_followups_enabled, u.auto_followups_since, u.dry_run, u.dry_run_ended_at, ${hoursColumns("u")},
      p.last_started_at, p.last_gap_ms, case when p.cold_day = ${dayOf(now)}::date then p.cold_count else 0 end as cold_today,
      j.id as job_id, j.message as job_message, j.throttle_ms, j.paused_until as job_paused_until, j.held_at as job_held_at,
      b.status, b.expires_at, b.current_period_end, b.cancel_at_period_end, k.inner_pad, k.outer_pad
    from outbox_key k
    left join telegram_sessions s on s.user_id = ${ownerId}::uuid and s.state = 'connected'
    left join user_settings u on u.user_id = ${ownerId}::uuid
    left join send_pace p on p.owner_id = ${ownerId}::uuid
    left join bulk_jobs j on j.owner_id = ${ownerId}::uuid and j.status = 'in_progress'
    left join subscriptions b on b.user_id = ${ownerId}::uuid`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("The table outbox_key is empty.");
  return row;
}

/** Steps with their places and their numbers within the stage. */
export type StepRow = {
  id: string;
  stage_id: string;
  place: number;
  order: number;
  delay_hours: number;
  message: string;
  created_at: string;
};

/** Returns the steps that have a stage, by place. */
export async function readSteps(db: DbOrTx, ownerId: string): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`${hot}
    select f.id, f.stage_id, f.followup_order as place, ${orderOf("f")} as "order", f.delay_hours, f.message, f.created_at
    from followups f where f.owner_id = ${ownerId}::uuid and f.stage_id is not null order by f.followup_order`.execute(
    db,
  );
  return rows;
}

/** Returns leads whose next step becomes due before `until`, without those that wait for confirmation. */
export async function readCandidates(
  db: DbOrTx,
  ownerId: string,
  { auto_followups_since: since, dry_run_ended_at: dryRunEnd }: AccountRow,
  until: number,
): Promise<LeadRow[]> {
  const { rows } = await sql<LeadRow>`${hot}
    select l.id as lead_id, ${LEAD} from leads l
    -- From the index by their ids in its order: what becomes due is little beside all leads.
    where l.id = any(array(select d.lead_id from lead_due d
      where d.owner_id = ${ownerId}::uuid and not d.is_backlog and d.due_at < ${at(until)}
        and d.due_at >= coalesce(${since}::timestamptz, '-infinity') - interval '24 hours'
        and d.due_at > coalesce(${dryRunEnd}::timestamptz, '-infinity')))`.execute(db);
  return rows;
}

export type QueueRow = {
  id: string;
  kind: ForecastKind;
  priority: number;
  not_before: number;
  random_id: string;
  followup_id: string | null;
  epoch: number | null;
  reminder_id: string | null;
  is_uncertain: boolean;
  is_confirmed: boolean;
  expires_at: number | null;
} & (LeadRow | { [Column in keyof LeadRow]: null });

/** Returns queued messages other than bulk messages, and those being sent. */
export async function readQueue(db: DbOrTx, ownerId: string): Promise<QueueRow[]> {
  const columns = sql`id, kind, priority, not_before, random_id, lead_id, followup_id, epoch, reminder_id, is_uncertain, is_confirmed, expires_at`;
  const { rows } = await sql<QueueRow>`${hot}
    select o.id, o.kind, o.priority, ${ms(sql`o.not_before`)} as not_before, o.random_id, o.followup_id, o.epoch, o.reminder_id,
      o.is_uncertain, o.is_confirmed, ${ms(sql`o.expires_at`)} as expires_at, l.id as lead_id, ${LEAD}
    from (
      select ${columns} from outbox where owner_id = ${ownerId}::uuid and state = 'pending' and priority < ${PRIORITY.bulk}
      union all
      select id, kind, 0, not_before, random_id, lead_id, followup_id, epoch, reminder_id, true, is_confirmed, expires_at
      from outbox where owner_id = ${ownerId}::uuid and state = 'sending'
    ) o left join leads l on l.id = o.lead_id
    left join reminders r on r.id = o.reminder_id
    where o.kind <> 'reminder' or o.is_uncertain
      or (r.is_enabled and r.deleted_at is null and (o.lead_id is null or l.stage_entry_epoch = o.epoch))`.execute(db);
  return rows;
}

export type TargetRow = {
  id: string;
  lead_id: string;
  last_message_at: number | null;
  is_reachable: boolean;
  is_refused: boolean;
};

/** Returns the running job's open targets in the order of sending. */
export async function readTargets(db: DbOrTx, ownerId: string, jobId: string): Promise<TargetRow[]> {
  const { rows } = await sql<TargetRow>`
    select o.id, o.lead_id, ${ms(sql`l.last_message_at`)} as last_message_at, l.id is not null and l.unreachable_reason is null and l.opted_out_at is null as is_reachable,
      false as is_refused
    from outbox o left join leads l on l.id = o.lead_id
    where o.owner_id = ${ownerId}::uuid and o.state = 'pending' and o.priority = ${PRIORITY.bulk} and o.job_id = ${jobId}::uuid
    order by o.id`.execute(db);
  return rows;
}

/** Returns who got a bulk message recently, and when. */
export async function readRecentBulk(db: DbOrTx, ownerId: string, now: number): Promise<Map<string, number>> {
  const { rows } = await sql<{ lead_id: string; at: number }>`${hot}
    select lead_id, ${ms(sql`max(settled_at)`)} as at from outbox where owner_id = ${ownerId}::uuid
      and settled_at > ${at(now - BULK_GUARD_MS)} and kind = 'bulk' and state = 'sent' and lead_id is not null group by lead_id`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.lead_id, row.at]));
}

export type StuckRow = {
  rule_id: string;
  lead_id: string;
  epoch: number;
  at: number;
  delay_days: number;
  due_at: number;
  returned_at: number | null;
};

/** Returns the leads that reminders will be about before `until`, by time. */
export async function readStuck(db: DbOrTx, ownerId: string, until: number): Promise<StuckRow[]> {
  const { rows } = await sql<StuckRow>`${hot}
    select r.id as rule_id, l.id as lead_id, l.stage_entry_epoch as epoch, r.delay_days, ${ms(sql`l.stage_entered_at + r.delay_days * interval '1 day'`)} as at,
      ${ms(dueAt)} as due_at, ${ms(sql`r.returned_at`)} as returned_at
    from reminders r join leads l on l.owner_id = r.owner_id and l.stage_id = r.stage_id
    where r.owner_id = ${ownerId}::uuid and r.is_enabled and r.deleted_at is null
      and l.stage_entered_at > coalesce(r.told_until, '-infinity') and l.stage_entered_at < ${at(until)} - r.delay_days * interval '1 day'
      and not exists (select from reminder_marks m where m.reminder_id = r.id and m.lead_id = l.id and m.epoch = l.stage_entry_epoch)
    order by l.stage_entered_at, l.id`.execute(db);
  return rows;
}

export type UseRow = { lead_id: string; followup_id: string; epoch: number; automatic: number; is_used: boolean };

/** Returns the uses of steps in these leads' current stage entries: how often each was planned, and whether it is used. */
export async function readUses(db: DbOrTx, leads: readonly { id: string; epoch: number }[]): Promise<UseRow[]> {
  const { rows } = await sql<UseRow>`${hot}
    select o.lead_id, o.followup_id, o.epoch, count(*) filter (where o.kind = 'followup')::int as automatic,
      bool_or(o.state in ('pending', 'sending', 'sent', 'unknown')) as is_used
    from unnest(${leads.map(({ id }) => id)}::uuid[], ${leads.map(({ epoch }) => epoch)}::int[]) l(id, epoch)
    join step_uses o on o.lead_id = l.id and o.epoch = l.epoch
    where o.followup_id is not null group by o.lead_id, o.followup_id, o.epoch`.execute(db);
  return rows;
}
