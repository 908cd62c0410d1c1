import { sql, type RawBuilder } from "kysely";
import type { AutomationFacts, StepUse } from "../../domain/lead-automation.ts";
import { cutText } from "../../domain/cut-text.ts";
import { STEP_PREVIEW_CHARS } from "../../domain/limits.ts";
import { fillPlaceholders } from "../../domain/placeholders.ts";
import { dayOf } from "../../domain/schedule.ts";
import type { StepRef } from "../../domain/story.ts";
import { hoursColumns, hoursOf, type HoursRow } from "../settings/index.ts";
import { orderOf } from "../lead-rows/step-places.ts";
import type { DbOrTx } from "../db/index.ts";
import { randomIdOf } from "../outbox/names.ts";
import { isUsed, nextStepName } from "./plan.ts";

type Row = HoursRow & {
  lead_id: string;
  name: string | null;
  username: string | null;
  stage: string | null;
  has_steps: boolean;
  opted_out_at: string | null;
  unreachable_reason: string | null;
  held_at: string | null;
  held_until: string | null;
  held_from: string | null;
  stage_entered_at: string | null;
  imported_at: string | null;
  last_message_at: string | null;
  last_bulk_at: string | null;
  followup_id: string | null;
  followup_order: number | null;
  message: string | null;
  due_at: string | null;
  followup_created_at: string | null;
  has_replied: boolean | null;
  random_id: string | null;
  use_state: StepUse["state"] | null;
  use_reason: string | null;
  use_not_before: string | null;
  use_is_confirmed: boolean | null;
  use_is_uncertain: boolean | null;
  has_access: boolean;
  session_id: string | null;
  auto_followups_enabled: boolean | null;
  auto_followups_since: string | null;
  dry_run: boolean | null;
  dry_run_ended_at: string | null;
  stopped_at: string | null;
  paused_until: string | null;
  daily_cap: number | null;
  cold_day: string | null;
  cold_count: number | null;
};

const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** Selects the use that blocks step `n`, by `isUsed`; one in progress comes first. */
const use = sql`left join lateral (
    select u.* from (
      select o.state, o.kind, o.reason, o.not_before, o.is_confirmed, o.is_uncertain, o.settled_at, o.random_id from outbox o
      where o.lead_id = n.lead_id and o.followup_id = n.followup_id and o.epoch = n.epoch
      union all
      select g.state, g.kind, g.reason, null, false, false, g.settled_at, g.random_id from ledger g
      where g.lead_id = n.lead_id and g.followup_id = n.followup_id and g.epoch = n.epoch
    ) u where ${isUsed("u")} order by u.settled_at desc nulls first limit 1
  ) u on true`;

/**
 * Reads the facts by which `leadAutomation` decides, from one snapshot, with the step's text for each lead.
 * @param which a condition over the leads `l`
 */
export async function readAutomationFacts(
  db: DbOrTx,
  now: number,
  which: RawBuilder<boolean>,
): Promise<{ leadId: string; stageEnteredAt: string | null; facts: AutomationFacts; step: StepRef | null }[]> {
  const at = new Date(now).toISOString();
  const { rows } = await sql<Row>`
    select l.id as lead_id, l.name, l.username, st.name as stage, exists (select from followups f where f.stage_id = l.stage_id) as has_steps,
      l.opted_out_at, l.unreachable_reason, l.held_at, l.held_until, l.held_from, l.stage_entered_at, l.imported_at, l.last_message_at,
      (select max(b.settled_at) from outbox b where b.lead_id = l.id and b.kind = 'bulk' and b.state = 'sent') as last_bulk_at,
      n.followup_id, ${orderOf("f")} as followup_order, n.message, n.due_at, n.followup_created_at, n.has_replied,
      coalesce(u.random_id, case when n.followup_id is not null then ${randomIdOf(nextStepName)} end) as random_id,
      u.state as use_state, u.reason as use_reason, u.not_before as use_not_before, u.is_confirmed as use_is_confirmed,
      u.is_uncertain as use_is_uncertain,
      public.has_access(l.owner_id, ${at}::timestamptz) as has_access, c.id as session_id,
      s.auto_followups_enabled, s.auto_followups_since, s.dry_run, s.dry_run_ended_at, ${hoursColumns("s")},
      c.stopped_at, c.paused_until, c.daily_cap, p.cold_day, p.cold_count
    from leads l
    left join stages st on st.id = l.stage_id
    left join user_settings s on s.user_id = l.owner_id
    left join telegram_sessions c on c.user_id = l.owner_id and c.state = 'connected'
    left join send_pace p on p.owner_id = l.owner_id
    left join next_followups n on n.lead_id = l.id
    left join followups f on f.id = n.followup_id
    ${use}
    where ${which}`.execute(db);
  return rows.map((row) => ({
    leadId: row.lead_id,
    stageEnteredAt: row.stage_entered_at,
    facts: factsOf(row, now),
    step: stepOf(row),
  }));
}

function factsOf(row: Row, now: number): AutomationFacts {
  const coldToday = row.cold_day === dayOf(now) ? (row.cold_count ?? 0) : 0;
  return {
    now,
    hasSteps: row.has_steps,
    isOptedOut: row.opted_out_at !== null,
    unreachableReason: row.unreachable_reason,
    heldUntil: row.held_at === null ? null : (ms(row.held_until) ?? Infinity),
    isStageDeleted: row.held_from !== null,
    step:
      row.followup_id === null
        ? null
        : {
            dueAt: Date.parse(row.due_at ?? ""),
            createdAt: Date.parse(row.followup_created_at ?? ""),
            hasReplied: row.has_replied ?? false,
            use: fateOf(row),
          },
    importedAt: ms(row.imported_at),
    lastMessageAt: ms(row.last_message_at),
    lastBulkAt: ms(row.last_bulk_at),
    hasAccess: row.has_access,
    isConnected: row.session_id !== null,
    isAutomated: row.auto_followups_enabled ?? false,
    automatedSince: ms(row.auto_followups_since),
    isDryRun: row.dry_run ?? false,
    dryRunEndedAt: ms(row.dry_run_ended_at),
    isStopped: row.stopped_at !== null,
    pausedUntil: ms(row.paused_until),
    coldLeft: (row.daily_cap ?? 0) - coldToday,
    hours: hoursOf(row),
    spread: row.random_id === null ? 0 : Number(BigInt(row.random_id) & 0xffffn) / 0x1_0000,
  };
}

const fateOf = (row: Row): StepUse | null =>
  row.use_state === null
    ? null
    : {
        state: row.use_state,
        reason: row.use_reason,
        notBefore: ms(row.use_not_before),
        isConfirmed: row.use_is_confirmed ?? false,
        isUncertain: row.use_is_uncertain ?? false,
      };

const stepOf = (row: Row): StepRef | null =>
  row.followup_id === null
    ? null
    : {
        id: row.followup_id,
        order: row.followup_order,
        preview: cutText(fillPlaceholders(row.message ?? "", row), STEP_PREVIEW_CHARS),
      };
