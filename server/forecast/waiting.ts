import { sql } from "kysely";
import type { RunFacts, RunRow } from "../../domain/forecast-facts.ts";
import { standingOf } from "../../domain/forecast-run.ts";
import {
  AUTOMATION_STATES,
  automationState,
  type AutomationState,
  READY_TO_SEND,
} from "../../domain/lead-automation.ts";
import { stepState } from "../../domain/send-decision.ts";
import { byIndexes, type Db, type DbOrTx } from "../db/index.ts";
import { hot } from "./read.ts";
import type { LeadGroup } from "./standings.ts";

/** Counts the leads that wait for confirmation: overdue when automation began, or recorded by the current dry run. */
export const countOverdue = (db: Db, ownerId: string, now: number): Promise<number> =>
  byIndexes(db, (tx) => countIn(tx, ownerId, now));

async function countIn(db: DbOrTx, ownerId: string, now: number): Promise<number> {
  const at = new Date(now).toISOString();
  const { rows } = await sql<{ total: number; is_dry_run: boolean; dry_run_ended_at: string | null }>`${hot}
    select (select count(*) from lead_due where owner_id = ${ownerId}::uuid and is_backlog and due_at <= ${at}::timestamptz)::int
      + (select count(*) from lead_due where owner_id = ${ownerId}::uuid and not is_backlog
        and due_at <= least(${at}::timestamptz,
          greatest(coalesce(u.auto_followups_since, '-infinity') - interval '24 hours', u.dry_run_ended_at)))::int as total,
      coalesce(u.dry_run, false) as is_dry_run, u.dry_run_ended_at
    from outbox_key left join user_settings u on u.user_id = ${ownerId}::uuid`.execute(db);
  const { total = 0, is_dry_run: isDryRun = false, dry_run_ended_at: dryRunEnd = null } = rows[0] ?? {};
  return total + (isDryRun ? await countWritten(db, ownerId, dryRunEnd, at) : 0);
}

/** Counts the leads whose next step the current dry run has recorded. */
async function countWritten(db: DbOrTx, ownerId: string, since: string | null, at: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(distinct n.lead_id)::int as total from ledger g
    join next_followups n on n.lead_id = g.lead_id and n.followup_id = g.followup_id and n.epoch = g.epoch
    where g.owner_id = ${ownerId}::uuid and g.kind = 'followup' and g.state = 'would_send'
      and g.settled_at > coalesce(${since}::timestamptz, '-infinity') and g.settled_at >= n.anchor and n.due_at <= ${at}::timestamptz
      and n.unreachable_reason is null and n.opted_out_at is null and not n.is_held and not n.has_replied`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Counts leads by state, in the order of the states, without empty ones. @param lastSteps the place of each stage's last step */
export function countStates(
  facts: RunFacts,
  groups: readonly LeadGroup[],
  lastSteps: ReadonlyMap<string, number>,
  overdue: number,
) {
  const counts = new Map<AutomationState, number>();
  const add = (state: AutomationState, count: number) => counts.set(state, (counts.get(state) ?? 0) + count);
  for (const group of groups) add(stateOfGroup(facts, group, lastSteps.get(group.stage_id ?? "")), group.total);
  const isPaused = counts.has("account_paused");
  const open = counts.get(isPaused ? "account_paused" : "scheduled") ?? 0;
  const listed = Math.min(overdue, open);
  add("overdue_unconfirmed", listed);
  if (isPaused) add("account_paused", -listed);
  else {
    const held = facts.queue.map((row) => stateOfRow(facts, row)).filter((state) => state !== null);
    if (open > 0) for (const state of held) add(state, 1);
    counts.set("scheduled", Math.max(0, open - listed - held.length));
  }
  return AUTOMATION_STATES.flatMap((state) => {
    const count = counts.get(state) ?? 0;
    return count === 0 ? [] : [{ state, count }];
  });
}

/**
 * Returns the state of leads with a step that is or will be due. Those that wait for confirmation, the hours or a limit are counted
 * separately.
 */
function stateOfGroup(facts: RunFacts, group: LeadGroup, lastStep: number | undefined): AutomationState {
  const { now, isConnected, isAutomated, isStopped, pausedUntil } = facts;
  const isLeft = lastStep !== undefined && group.cursor <= lastStep;
  return automationState({
    ...READY_TO_SEND,
    now,
    isConnected,
    isAutomated,
    isStopped,
    pausedUntil,
    hasAccess: facts.accessUntil > now,
    hasSteps: lastStep !== undefined,
    isOptedOut: group.is_opted_out,
    unreachableReason: group.is_unreachable ? "UNREACHABLE" : null,
    heldUntil: group.is_held ? Infinity : null,
    lastMessageAt: now,
    step: isLeft ? { dueAt: now, createdAt: 0, hasReplied: group.has_replied, use: null } : null,
  });
}

/** Returns what delays a planned step now, null for nothing. */
function stateOfRow(facts: RunFacts, { kind, lead, step, isConfirmed }: RunRow): AutomationState | null {
  if (kind !== "followup" || lead === null || step === null) return null;
  const gate = { ...facts, coldLeft: facts.dailyCap - facts.coldToday };
  const state = stepState(lead, standingOf(lead, step), gate, facts.now, isConfirmed);
  return WAITS.includes(state) ? state : null;
}
const WAITS: readonly AutomationState[] = ["waiting_for_hours", "waiting_after_bulk", "waiting_for_limit"];
