import { sql, type RawBuilder } from "kysely";
import { OVERDUE_LIMIT_MS, sendTime } from "../../domain/schedule.ts";
import { hoursColumns, hoursOf, type HoursRow } from "../core/allowed-hours.ts";
import type { Deps } from "../core/deps.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { enqueue, randomIdOf, spreadOfId, sqlNameOf } from "../outbox/index.ts";
import { refreshStalePlans } from "./stale-plans.ts";

type PlanDeps = Pick<Deps, "db" | "bus" | "clock">;
type DueRow = HoursRow & {
  lead_id: string;
  owner_id: string;
  followup_id: string;
  epoch: number;
  due_at: string;
  message_name: string;
  candidate_at: string | null;
  random_id: string;
};

const BATCH = 1_000;
/** What becomes due until the next run is planned by this one, to leave at its time: longer than the minute, the job queue's delay and a run. */
export const AHEAD_MS = 120_000;
const OVERDUE_LIMIT = `${OVERDUE_LIMIT_MS} milliseconds`;

/**
 * Whether a row of a step's uses, under its alias, keeps step `n` from being planned: it is under way, went out, may have gone out, or it
 * failed, or a dry run that is still on has decided it, since the anchor.
 */
export const isUsed = (use: string): RawBuilder<boolean> => {
  const u = sql.raw(use);
  return sql<boolean>`(${u}.state in ('pending', 'sending', 'sent', 'unknown') or (${u}.kind = 'followup' and ${u}.settled_at >= n.anchor
    and (${u}.state in ('failed', 'skipped') or (${u}.state = 'would_send' and s.dry_run and ${u}.settled_at > coalesce(s.dry_run_ended_at, '-infinity')))))`;
};

/** What became of step `n` before, looked up once: whether anything keeps it from being planned, and how many rows it had by itself. */
export const earlierUses = sql`cross join lateral (
    select coalesce(bool_or(${isUsed("o")}), false) as is_used, count(*) filter (where o.kind = 'followup') as planned
    from step_uses o where o.lead_id = n.lead_id and o.followup_id = n.followup_id and o.epoch = n.epoch
  ) used`;

/** Steps whose time has come: the person has not answered, can be reached, and this step never went out in this stage entry. */
const isDue = (at: string): RawBuilder<boolean> => sql<boolean>`
  n.due_at <= ${at}::timestamptz and not n.has_replied and n.unreachable_reason is null
  and n.opted_out_at is null and not n.is_held and not n.is_skipped and not used.is_used`;

/** The name that a message of step `n` gets when it is planned next. @param earlier how many rows it had by itself */
const stepName = (earlier: RawBuilder<number>): RawBuilder<string> =>
  sqlNameOf.followup({ leadId: sql`n.lead_id`, followupId: sql`n.followup_id`, epoch: sql`n.epoch`, earlier });
export const nextStepName = stepName(
  sql`(select count(*) from step_uses o where o.lead_id = n.lead_id and o.followup_id = n.followup_id and o.epoch = n.epoch
    and o.kind = 'followup')`,
);

/** A backlog: overdue by more than a day when automation was switched on or the step was made, or at all when the chat was imported or a dry run ended. */
const isBacklog = (): RawBuilder<boolean> => sql<boolean>`
  (n.due_at < greatest(s.auto_followups_since, n.followup_created_at) - ${OVERDUE_LIMIT}::interval
    or coalesce(n.due_at <= n.imported_at, false) or coalesce(n.due_at <= s.dry_run_ended_at, false))`;

/** What was due before this waits for the person's word, whatever step it is. */
const automatedFrom = sql`greatest(coalesce(s.auto_followups_since, '-infinity') - ${OVERDUE_LIMIT}::interval, s.dry_run_ended_at)`;

/**
 * What automation sends by itself now: found by the index of candidates, owner by owner (`offset 0`: not all of them at once, each of
 * which would be looked for among all owners), and then judged one by one.
 */
export const automaticSteps = {
  from: (at: string): RawBuilder<unknown> => sql`user_settings s cross join lateral (
    select d.lead_id, d.due_at from lead_due d where d.owner_id = s.user_id and not d.is_backlog and d.due_at <= ${at}::timestamptz
      and d.due_at >= ${automatedFrom} offset 0
    ) d join next_followups n on n.lead_id = d.lead_id ${earlierUses}`,
  where: (at: string): RawBuilder<unknown> => sql`s.auto_followups_enabled and ${isDue(at)} and not ${isBacklog()}`,
};

/** What waits for the person's word: found by the same index, in the marked part of it and in what is older than automation. */
export const overdueSteps = {
  from: (at: string): RawBuilder<unknown> => sql`user_settings s cross join lateral (
    select d.lead_id, d.due_at from lead_due d where d.owner_id = s.user_id and d.is_backlog and d.due_at <= ${at}::timestamptz
    union all
    select d.lead_id, d.due_at from lead_due d where d.owner_id = s.user_id and not d.is_backlog
      and d.due_at <= least(${at}::timestamptz, ${automatedFrom})
    ) d join next_followups n on n.lead_id = d.lead_id ${earlierUses}`,
  where: (at: string): RawBuilder<unknown> => sql`s.auto_followups_enabled and ${isDue(at)} and ${isBacklog()}`,
};

/**
 * Puts every automatic follow-up that is due, or is before the next run, into the outbox, to leave at its time within the allowed hours. What it wrote before is never written
 * again, so it may run at any time, in several processes.
 * @param turnMs so long candidates are made anew at a stretch: that may take minutes in all, and meanwhile what is known goes out in time
 * @returns how many it planned
 */
export async function planFollowups(deps: PlanDeps, turnMs = 2_000): Promise<number> {
  let planned = 0;
  for (let isStale = true; isStale;) {
    isStale = await refreshStalePlans(deps.db, turnMs);
    planned += await planKnown(deps);
  }
  return planned;
}

/** From so many on, half of them are written beside the other half: their indexes take the database longer than finding them. */
const MANY = 200;

async function planKnown(deps: PlanDeps): Promise<number> {
  let planned = 0;
  for (;;) {
    const now = deps.clock.now();
    const { rows, isMore } = await findDue(deps.db, now, { ...automaticSteps, aheadMs: AHEAD_MS });
    const written = await Promise.allSettled(
      halves(rows).map((half) =>
        deps.db.transaction().execute((tx) => writePlan(tx, deps, now, half, { isConfirmed: false })),
      ),
    );
    for (const half of written) {
      if (half.status === "rejected") throw half.reason;
      planned += half.value;
    }
    if (!isMore) return planned;
  }
}

/** Parts to be written in transactions of their own, each in the order of the whole, as every process writes; an owner's steps stay together. */
function halves(rows: readonly DueRow[]): DueRow[][] {
  if (rows.length === 0) return [];
  if (rows.length < MANY) return [[...rows]];
  const sizes = [0, 0] as [number, number];
  const halfOf = new Map<string, 0 | 1>();
  for (const [ownerId, steps] of Map.groupBy(rows, (row) => row.owner_id)) {
    const half = sizes[0] <= sizes[1] ? 0 : 1;
    halfOf.set(ownerId, half);
    sizes[half] += steps.length;
  }
  return ([0, 1] as const)
    .map((half) => rows.filter((row) => halfOf.get(row.owner_id) === half))
    .filter((steps) => steps.length > 0);
}

type Which = {
  from: (at: string) => RawBuilder<unknown>;
  where: (at: string) => RawBuilder<unknown>;
  isConfirmed: boolean;
  /** the name of the key that let them go out */
  byKey?: string | null;
  aheadMs?: number;
};

/** How many were planned, and whether more of them waited when they were looked for. */
type Batch = { planned: number; isMore: boolean };

/**
 * Plans the due steps that a condition over `s` (settings) and `n` (next steps) selects, one batch of them.
 * @param aheadMs also those that become due within this time: whatever happens until then, the claim judges them again
 */
export const planBatch = (deps: PlanDeps, which: Which): Promise<Batch> =>
  deps.db.transaction().execute((tx) => planBatchIn(tx, deps, which));

/** The same in a transaction of the caller's. */
export async function planBatchIn(tx: Tx, deps: PlanDeps, which: Which): Promise<Batch> {
  const now = deps.clock.now();
  const { rows, isMore } = await findDue(tx, now, which);
  return { planned: await writePlan(tx, deps, now, rows, which), isMore };
}

/** @returns what is due, one batch of it, and whether there is more */
async function findDue(
  db: DbOrTx,
  now: number,
  { from, where, aheadMs = 0 }: Pick<Which, "from" | "where" | "aheadMs">,
): Promise<{ rows: DueRow[]; isMore: boolean }> {
  const at = new Date(now + aheadMs).toISOString();
  const { rows } = await sql<DueRow>`
      select d.*, ${randomIdOf(sql`d.message_name`)} as random_id from (
        select n.lead_id, n.owner_id, n.followup_id, n.epoch, n.due_at, ${stepName(sql`used.planned`)} as message_name,
          d.due_at as candidate_at,
          ${hoursColumns("s")}
        from ${from(at)} where ${where(at)} order by n.due_at, n.lead_id limit ${BATCH + 1}
      ) d`.execute(db);
  return { rows: rows.slice(0, BATCH), isMore: rows.length > BATCH };
}

/** @returns how many of them were not in the outbox yet */
async function writePlan(
  tx: Tx,
  deps: PlanDeps,
  now: number,
  rows: readonly DueRow[],
  { isConfirmed, byKey = null }: Pick<Which, "isConfirmed" | "byKey">,
): Promise<number> {
  if (rows.length === 0) return 0;
  // Another process may have planned some of them in the same moment: those stand once.
  const planned = await enqueue(
    tx,
    deps,
    rows.map((row) => ({
      kind: "followup",
      ownerId: row.owner_id,
      leadId: row.lead_id,
      followupId: row.followup_id,
      epoch: row.epoch,
      name: row.message_name,
      randomId: row.random_id,
      isConfirmed,
      byKey,
      notBefore: leavesAt(row, now),
    })),
  );
  await dropCandidates(tx, rows);
  return planned.length;
}

/** A lead that changed while it was planned has a candidate of another time: that one stays. */
const dropCandidates = (tx: Tx, rows: readonly DueRow[]) =>
  sql`delete from lead_due where ctid = any(array(
    select d.ctid from lead_due d join unnest(${rows.map((row) => row.lead_id)}::uuid[], ${rows.map((row) => row.candidate_at)}::timestamptz[])
      as planned(lead_id, due_at) on d.lead_id = planned.lead_id and d.due_at = planned.due_at
    order by d.lead_id for update of d))`.execute(tx);

function leavesAt(row: DueRow, now: number): string {
  // The id is a keyed hash of the step's name: as good as random, and the same at every look.
  const spread = spreadOfId(row.random_id);
  return new Date(sendTime({ dueAt: Date.parse(row.due_at), now, hours: hoursOf(row), spread })).toISOString();
}
