import { sql, type RawBuilder } from "kysely";
import type { AutomationState } from "../../domain/lead-automation.ts";
import { type AllowedHours, OVERDUE_LIMIT_MS, sendTime } from "../../domain/schedule.ts";
import { planState } from "../../domain/send-decision.ts";
import { hoursColumns, hoursOf, type HoursRow } from "../settings/index.ts";
import type { Deps } from "../core/deps.ts";
import { HOT_STATEMENT, isUniqueViolation, type DbOrTx, type Tx } from "../db/index.ts";
import { enqueue } from "../outbox/enqueue.ts";
import { randomIdOf, spreadOfId, sqlNameOf } from "../outbox/names.ts";
import { refreshStalePlans } from "./stale-plans.ts";

type PlanDeps = Pick<Deps, "db" | "bus" | "clock">;
type StepRow = {
  lead_id: string;
  owner_id: string;
  followup_id: string;
  epoch: number;
  due_at: string;
  followup_created_at: string;
  has_replied: boolean;
  is_held: boolean;
  is_skipped: boolean;
  unreachable_reason: string | null;
  opted_out_at: string | null;
  imported_at: string | null;
  auto_followups_since: string | null;
  dry_run_ended_at: string | null;
};
type DueRow = StepRow & {
  message_name: string;
  candidate_at: string | null;
  random_id: string;
};

const hot = sql.raw(HOT_STATEMENT);
const BATCH = 1_000;
/** What becomes due until the next run is planned by this one, to leave at its time: longer than the minute, the job queue's delay and a run. */
export const AHEAD_MS = 120_000;
export const OVERDUE_LIMIT = `${OVERDUE_LIMIT_MS} milliseconds`;

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
const earlierUses = sql`cross join lateral (
    select coalesce(bool_or(${isUsed("o")}), false) as is_used, count(*) filter (where o.kind = 'followup') as planned
    from step_uses o where o.lead_id = n.lead_id and o.followup_id = n.followup_id and o.epoch = n.epoch
  ) used`;

/** The name that a message of step `n` gets when it is planned next. @param earlier how many rows it had by itself */
const stepName = (earlier: RawBuilder<number>): RawBuilder<string> =>
  sqlNameOf.followup({ leadId: sql`n.lead_id`, followupId: sql`n.followup_id`, epoch: sql`n.epoch`, earlier });
export const nextStepName = stepName(
  sql`(select count(*) from step_uses o where o.lead_id = n.lead_id and o.followup_id = n.followup_id and o.epoch = n.epoch
    and o.kind = 'followup')`,
);

/** What was due before this waits for the person's word, whatever step it is. */
const automatedFrom = sql`greatest(coalesce(s.auto_followups_since, '-infinity') - ${OVERDUE_LIMIT}::interval, s.dry_run_ended_at)`;

/**
 * What may be due by itself: found by the index of candidates, owner by owner (`offset 0`: not all of them at once, each of which would be
 * looked for among all owners).
 */
const automaticCandidates = (at: string): RawBuilder<unknown> => sql`user_settings s cross join lateral (
    select d.lead_id, d.due_at from lead_due d where d.owner_id = s.user_id and not d.is_backlog and d.due_at <= ${at}::timestamptz
      and d.due_at >= ${automatedFrom} offset 0
    ) d`;

/** Steps that may be due: a superset found by the index, and the state in which the rule must find one of them. */
export type DueSteps = { candidates: (at: string) => RawBuilder<unknown>; state: AutomationState };

/** What automation sends by itself now. */
export const automaticSteps: DueSteps = { candidates: automaticCandidates, state: "scheduled" };

/** What waits for confirmation: found in the marked part of the same index and in what is older than automation. */
export const overdueSteps: DueSteps = {
  candidates: (at) => sql`user_settings s cross join lateral (
    select d.lead_id, d.due_at from lead_due d where d.owner_id = s.user_id and d.is_backlog and d.due_at <= ${at}::timestamptz
    union all
    select d.lead_id, d.due_at from lead_due d where d.owner_id = s.user_id and not d.is_backlog
      and d.due_at <= least(${at}::timestamptz, ${automatedFrom})
    ) d`,
  state: "overdue_unconfirmed",
};

/** The columns of `StepRow`. */
const stepColumns = sql`n.lead_id, n.owner_id, n.followup_id, n.epoch, n.due_at, n.followup_created_at, n.has_replied, n.is_held,
  n.is_skipped, n.unreachable_reason, n.opted_out_at, n.imported_at, s.auto_followups_since, s.dry_run_ended_at`;

/** The candidates with their next steps, without those whose step is used up; the rest is the rule's to decide. */
export const stepsOf = ({ candidates }: DueSteps, at: string): RawBuilder<unknown> =>
  sql`${candidates(at)} join next_followups n on n.lead_id = d.lead_id ${earlierUses}
    where s.auto_followups_enabled and not used.is_used`;

const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** The state in which the rule finds a candidate; null before it is due. */
function stateOf(row: StepRow, at: number): AutomationState | null {
  const dueAt = Date.parse(row.due_at);
  const person = { unreachableReason: row.unreachable_reason, isOptedOut: row.opted_out_at !== null };
  const step = {
    dueAt,
    createdAt: Date.parse(row.followup_created_at),
    importedAt: ms(row.imported_at),
    hasReplied: row.has_replied,
    isHeld: row.is_held,
    isSkipped: row.is_skipped,
  };
  const gate = {
    isAutomated: true,
    automatedSince: ms(row.auto_followups_since),
    dryRunEndedAt: ms(row.dry_run_ended_at),
  };
  return dueAt <= at ? planState(person, step, gate, at) : null;
}

/** Whether the rule finds a candidate in the state that is asked for. */
const isDueStep = (row: StepRow, { state }: DueSteps, at: number): boolean => stateOf(row, at) === state;

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

/** From so many candidates on, half of them are found and written beside the other half: what it takes is the database's time. */
const MANY = 200;

async function planKnown(deps: PlanDeps): Promise<number> {
  const waiting = await countCandidates(deps);
  let planned = 0;
  for (const part of await Promise.allSettled(halves(waiting).map((owners) => planOwners(deps, owners)))) {
    if (part.status === "rejected") throw part.reason;
    planned += part.value;
  }
  return planned;
}

type Waiting = { owner_id: string; candidates: number };

/** Whose steps may be due, and how many of them. */
async function countCandidates({ db, clock }: PlanDeps): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`select s.user_id as owner_id, count(*)::int as candidates
    from ${automaticCandidates(reaches(clock.now()))} where s.auto_followups_enabled group by s.user_id`.execute(db);
  return rows;
}

/** Owners to be planned for side by side; an owner's steps stay together, in one order. */
function halves(waiting: readonly Waiting[]): string[][] {
  const [first, second] = [
    { size: 0, owners: [] as string[] },
    { size: 0, owners: [] as string[] },
  ];
  const isMany = waiting.reduce((sum, { candidates }) => sum + candidates, 0) >= MANY;
  for (const { owner_id: id, candidates } of waiting.toSorted((a, b) => b.candidates - a.candidates)) {
    const half = isMany && second.size < first.size ? second : first;
    half.owners.push(id);
    half.size += candidates;
  }
  return [first.owners, second.owners].filter((owners) => owners.length > 0);
}

async function planOwners(deps: PlanDeps, owners: readonly string[]): Promise<number> {
  const where = sql<boolean>`s.user_id = any(${owners}::uuid[])`;
  let planned = 0;
  for (;;) {
    const now = deps.clock.now();
    const { rows, answered, isMore } = await findDue(deps.db, now, { steps: automaticSteps, where, aheadMs: AHEAD_MS });
    // The index does not know of an answer in the very second of our message: the next run would look at them again.
    if (answered.length > 0) await deps.db.transaction().execute((tx) => dropCandidates(tx, answered));
    if (rows.length > 0) planned += await writeFound(deps, now, rows);
    if (!isMore) return planned;
  }
}

/** What was found a moment ago is hardly ever planned by another process meanwhile; then it is written once more, with a look at each row. */
async function writeFound(deps: PlanDeps, now: number, rows: readonly DueRow[]): Promise<number> {
  const write = (areNew: boolean) =>
    deps.db.transaction().execute((tx) => writePlan(tx, deps, now, rows, { isConfirmed: false, areNew }));
  try {
    return await write(true);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return await write(false);
  }
}

type Which = {
  steps: DueSteps;
  where: RawBuilder<boolean>;
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

/** Up to when a plan made now reaches. */
const reaches = (now: number, aheadMs = AHEAD_MS): string => new Date(now + aheadMs).toISOString();

/** @returns what is due, one batch of it, whom of those before its end answered, and whether there is more */
export async function findDue(
  db: DbOrTx,
  now: number,
  { steps, where, aheadMs = 0 }: Pick<Which, "steps" | "where" | "aheadMs">,
): Promise<{ rows: DueRow[]; answered: DueRow[]; isMore: boolean }> {
  const at = reaches(now, aheadMs);
  const answered: DueRow[] = [];
  for (let after = sql<boolean>`true`; ;) {
    const { rows: found } = await sql<DueRow>`
      select d.*, ${randomIdOf(sql`d.message_name`)} as random_id from (
        select ${stepColumns}, ${stepName(sql`used.planned`)} as message_name, d.due_at as candidate_at
        from ${stepsOf(steps, at)} and ${where} and ${after} order by n.due_at, n.lead_id limit ${BATCH + 1}
      ) d`.execute(db);
    const batch = found.slice(0, BATCH);
    const rows = batch.filter((row) => isDueStep(row, steps, now + aheadMs));
    answered.push(...batch.filter((row) => stateOf(row, now + aheadMs) === "answered"));
    const isMore = found.length > BATCH;
    const last = batch.at(-1);
    if (rows.length > 0 || !isMore || last === undefined) return { rows, answered, isMore };
    after = sql<boolean>`(n.due_at, n.lead_id) > (${last.due_at}::timestamptz, ${last.lead_id}::uuid)`;
  }
}

/** @returns how many of them were not in the outbox yet */
async function writePlan(
  tx: Tx,
  deps: PlanDeps,
  now: number,
  rows: readonly DueRow[],
  { isConfirmed, byKey = null, areNew = false }: Pick<Which, "isConfirmed" | "byKey"> & { areNew?: boolean },
): Promise<number> {
  if (rows.length === 0) return 0;
  const hours = await readHours(tx, rows);
  // Another process may have planned some of them in the same moment: those stand once.
  const planned = await enqueue(
    tx,
    deps,
    rows.flatMap((row) => {
      const allowed = hours.get(row.owner_id);
      // Whoever has no settings any more has left meanwhile.
      if (allowed === undefined) return [];
      return {
        kind: "followup",
        ownerId: row.owner_id,
        leadId: row.lead_id,
        followupId: row.followup_id,
        epoch: row.epoch,
        name: row.message_name,
        randomId: row.random_id,
        isConfirmed,
        byKey,
        notBefore: leavesAt(row, now, allowed),
      } as const;
    }),
    { areNew },
  );
  await dropCandidates(tx, rows);
  return planned.length;
}

/** A lead that changed while it was planned has a candidate of another time: that one stays. */
const dropCandidates = (tx: Tx, rows: readonly DueRow[]) =>
  sql`${hot} delete from lead_due where ctid = any(array(
    select d.ctid from lead_due d join unnest(${rows.map((row) => row.lead_id)}::uuid[], ${rows.map((row) => row.candidate_at)}::timestamptz[])
      as planned(lead_id, due_at) on d.lead_id = planned.lead_id and d.due_at = planned.due_at
    order by d.lead_id for update of d))`.execute(tx);

/** Allowed hours by owner. */
async function readHours(tx: Tx, rows: readonly DueRow[]): Promise<Map<string, AllowedHours>> {
  const owners = [...new Set(rows.map((row) => row.owner_id))];
  const { rows: settings } = await sql<HoursRow & { owner_id: string }>`${hot}
     select s.user_id as owner_id, ${hoursColumns("s")} from user_settings s where s.user_id = any(${owners}::uuid[])`.execute(
    tx,
  );
  return new Map(settings.map((row) => [row.owner_id, hoursOf(row)]));
}

function leavesAt(row: DueRow, now: number, hours: AllowedHours): string {
  // The id is a keyed hash of the step's name: as good as random, and the same at every look.
  const spread = spreadOfId(row.random_id);
  return new Date(sendTime({ dueAt: Date.parse(row.due_at), now, hours, spread })).toISOString();
}
