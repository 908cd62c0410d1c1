import { sql } from "kysely";
import type { RunFacts, RunRow } from "../../domain/forecast-facts.ts";
import { dueOf } from "../../domain/forecast-run.ts";
import { AUTOMATION_STATES, type AutomationState } from "../../domain/lead-automation.ts";
import { BULK_GUARD_MS, isWithinHours } from "../../domain/schedule.ts";
import { isColdAt } from "../../domain/send-judgement.ts";
import { byIndexes, type Db, type DbOrTx } from "../db/index.ts";
import { hot } from "./read.ts";
import type { LeadGroup } from "./standings.ts";

/** How many wait for the person's word: overdue when automation began, or written down by a dry run that is still on. */
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

/** Whose next step a dry run has written down since the last one ended. */
async function countWritten(db: DbOrTx, ownerId: string, since: string | null, at: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(distinct n.lead_id)::int as total from ledger g
    join next_followups n on n.lead_id = g.lead_id and n.followup_id = g.followup_id and n.epoch = g.epoch
    where g.owner_id = ${ownerId}::uuid and g.kind = 'followup' and g.state = 'would_send'
      and g.settled_at > coalesce(${since}::timestamptz, '-infinity') and g.settled_at >= n.anchor and n.due_at <= ${at}::timestamptz
      and n.unreachable_reason is null and n.opted_out_at is null and not n.is_held and not n.is_skipped and not n.has_replied`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
}

/** In which state how many leads are, in the order of the states; states without any are left out. @param lastSteps the place of each stage's last step */
export function countStates(
  facts: RunFacts,
  groups: readonly LeadGroup[],
  lastSteps: ReadonlyMap<string, number>,
  overdue: number,
) {
  const counts = new Map<AutomationState, number>();
  const add = (state: AutomationState, count: number) => counts.set(state, (counts.get(state) ?? 0) + count);
  let open = 0;
  for (const group of groups) {
    const last = lastSteps.get(group.stage_id ?? "");
    if (last === undefined) add("no_steps", group.total);
    else if (group.cursor > last) add("finished", group.total);
    else if (group.is_opted_out) add("opted_out", group.total);
    else if (group.is_unreachable) add("unreachable", group.total);
    else if (group.is_held) add("held", group.total);
    else if (group.has_replied) add("answered", group.total);
    else open += group.total;
  }
  const forAll = stateOfAccount(facts);
  if (forAll !== null) add(forAll, open);
  else {
    const listed = Math.min(overdue, open);
    add("overdue_unconfirmed", listed);
    if ((facts.pausedUntil ?? 0) > facts.now) add("account_paused", open - listed);
    else {
      const held = facts.queue.map((row) => stateOfRow(facts, row)).filter((state) => state !== null);
      for (const state of held) add(state, 1);
      add("scheduled", Math.max(0, open - listed - held.length));
    }
  }
  return AUTOMATION_STATES.flatMap((state) => {
    const count = counts.get(state) ?? 0;
    return count === 0 ? [] : [{ state, count }];
  });
}

/** What holds back every step of the account until a person acts. */
function stateOfAccount(facts: RunFacts): AutomationState | null {
  if (facts.accessUntil <= facts.now) return "no_subscription";
  if (!facts.isConnected) return "not_connected";
  if (!facts.isAutomated) return "automation_off";
  return facts.isStopped ? "account_stopped" : null;
}

/** What holds a planned step back in this moment. */
function stateOfRow(
  { now, hours, dailyCap, coldToday }: RunFacts,
  { kind, lead, step }: RunRow,
): AutomationState | null {
  if (
    kind !== "followup" ||
    lead === null ||
    lead.unreachableReason !== null ||
    lead.isOptedOut ||
    lead.isHeld ||
    lead.hasReplied
  )
    return null;
  // Planned by the run before it is due: nothing holds it back yet.
  if (step !== null && dueOf(lead, step) > now) return null;
  if (!isWithinHours(now, hours)) return "waiting_for_hours";
  if (lead.lastBulkAt !== null && lead.lastBulkAt + BULK_GUARD_MS > now) return "waiting_after_bulk";
  return isColdAt(lead.lastMessageAt, now) && coldToday >= dailyCap ? "waiting_for_limit" : null;
}
