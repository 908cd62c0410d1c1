import { sql } from "kysely";
import { PRIORITY } from "../../domain/send-pace.ts";
import type { OutboxKind } from "../db/tables/outbox.ts";
import type { Tx } from "../db/index.ts";
import type { Gate } from "./gate.ts";

/** The next row of an account's queue with what its conditions need to know. */
export type Candidate = {
  id: string;
  kind: OutboxKind;
  lead_id: string | null;
  followup_id: string | null;
  epoch: number | null;
  reminder_id: string | null;
  job_id: string | null;
  channel: string | null;
  body: string | null;
  media_id: string | null;
  random_id: string;
  is_uncertain: boolean;
  is_confirmed: boolean;
  expires_at: string | null;
  attempts: number;
  account_user_id: string | null;
  /** the lead's, for the message's placeholders */
  name: string | null;
  username: string | null;
  stage: string | null;
  telegram_user_id: string | null;
  unreachable_reason: string | null;
  opted_out_at: string | null;
  last_message_at: string | null;
  stage_entry_epoch: number | null;
  /** the lead's current next step; null when it is not this row's step */
  next_due_at: string | null;
  next_has_replied: boolean | null;
  next_is_held: boolean | null;
  next_message: string | null;
  next_media_id: string | null;
  next_followup_created_at: string | null;
  next_imported_at: string | null;
  last_bulk_at: string | null;
  reminder_enabled: boolean | null;
  reminder_deleted_at: string | null;
};

/** Due at once when it was planned: it may be sent even if the clock was set back since. */
const LEAVES_AT_ONCE = sql<boolean>`not_before <= created_at`;

/** Its last attempt is in the future: the clock was set back since, so its wait no longer counts. */
const waitsByOtherClock = (at: string) => sql<boolean>`claimed_at > ${at}::timestamptz + interval '1 second'`;

/** The lowest priority that this account may send now. */
function reach(gate: Gate, now: number): { maxPriority: number; byHandOnly: boolean } {
  const byHandOnly = gate.isStopped || !gate.hasAccess;
  if (byHandOnly) return { maxPriority: PRIORITY.manual, byHandOnly };
  const isBulkOpen = gate.job !== null && !gate.job.isHeld && (gate.job.pausedUntil ?? 0) <= now;
  return { maxPriority: isBulkOpen ? PRIORITY.bulk : PRIORITY.reminder, byHandOnly };
}

/** Locks the account's next due row, by priority, then oldest first. */
export async function nextCandidate(tx: Tx, ownerId: string, gate: Gate, now: number): Promise<Candidate | null> {
  const { maxPriority, byHandOnly } = reach(gate, now);
  const at = new Date(now).toISOString();
  const next = sql`select * from outbox where owner_id = ${ownerId}::uuid and state = 'pending' and priority <= ${maxPriority}
      and (not_before <= ${at}::timestamptz or ${LEAVES_AT_ONCE} or ${waitsByOtherClock(at)}) ${byHandOnly ? sql`and kind in ('reply', 'manual')` : sql``}
    order by priority, id limit 1 for update skip locked`;
  const { rows } = await sql<Candidate>`
    with o as materialized (${next})
    select o.id, o.kind, o.lead_id, o.followup_id, o.epoch, o.reminder_id, o.job_id, o.channel, o.body, o.media_id, o.random_id,
      o.is_uncertain, o.is_confirmed, o.expires_at, o.attempts, o.account_user_id,
      l.name, l.username, st.name as stage, l.telegram_user_id, l.unreachable_reason, l.opted_out_at, l.last_message_at, l.stage_entry_epoch,
      n.due_at as next_due_at, n.has_replied as next_has_replied, n.is_held as next_is_held, n.message as next_message, n.media_id as next_media_id,
      n.followup_created_at as next_followup_created_at, n.imported_at as next_imported_at,
      case when o.kind = 'followup' then (
        select max(b.settled_at) from outbox b where b.lead_id = o.lead_id and b.kind = 'bulk' and b.state = 'sent') end as last_bulk_at,
      r.is_enabled as reminder_enabled, r.deleted_at as reminder_deleted_at
    from o
    left join leads l on l.id = o.lead_id
    left join stages st on st.id = l.stage_id
    left join next_followups n on o.kind = 'followup' and n.lead_id = o.lead_id and n.followup_id = o.followup_id and n.epoch = o.epoch
    left join reminders r on r.id = o.reminder_id`.execute(tx);
  return rows[0] ?? null;
}

/** Returns when the next row becomes due; null when nothing waits. */
export async function nextDue(tx: Tx, ownerId: string, gate: Gate, now: number): Promise<number | null> {
  const { maxPriority, byHandOnly } = reach(gate, now);
  const { rows } = await sql<{ at: string | null }>`
    select min(not_before) as at from outbox where owner_id = ${ownerId}::uuid and state = 'pending' and priority <= ${maxPriority}
      ${byHandOnly ? sql`and kind in ('reply', 'manual')` : sql``}`.execute(tx);
  const at = rows[0]?.at ?? null;
  return at === null ? null : Date.parse(at);
}
