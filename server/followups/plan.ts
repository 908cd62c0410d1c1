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
/** Each run also plans what becomes due before the next one: longer than a minute, the job queue's delay and a run. */
export const PLANNING_HORIZON_MS = 120_000;
export const OVERDUE_LIMIT = `${OVERDUE_LIMIT_MS} milliseconds`;

/**
 * Whether a row of a step's uses (`use` is its alias) blocks step `n` from being planned: it is in progress, was sent or may have been.
 * Since the anchor, it also blocks if it failed, was skipped, or was recorded by the current dry run.
 */
export const isUsed = (use: string): RawBuilder<boolean> => {
  const u = sql.raw(use);
  return sql<boolean>`(${u}.state in ('pending', 'sending', 'sent', 'unknown') or (${u}.kind = 'followup' and ${u}.settled_at >= n.anchor
    and (${u}.state in ('failed', 'skipped') or (${u}.state = 'would_send' and s.dry_run and ${u}.settled_at > coalesce(s.dry_run_ended_at, '-infinity')))))`;
};

/** Reads earlier uses of step `n` once: whether one blocks it, and how many automatic ones there are. */
const earlierUses = sql`cross join lateral (
    select coalesce(bool_or(${isUsed("o")}), false) as is_used, count(*) filter (where o.kind = 'followup') as planned
    from step_uses o where o.lead_id = n.lead_id and o.followup_id = n.followup_id and o.epoch = n.epoch
  ) used`;

/** The message name of step `n` when it is planned next. @param earlier the number of its automatic uses */
const stepName = (earlier: RawBuilder<number>): RawBuilder<string> =>
  sqlNameOf.followup({ leadId: sql`n.lead_id`, followupId: sql`n.followup_id`, epoch: sql`n.epoch`, earlier });
export const nextStepName = stepName(
  sql`(select count(*) from step_uses o where o.lead_id = n.lead_id and o.followup_id = n.followup_id and o.epoch = n.epoch
    and o.kind = 'followup')`,
);

/** Steps that were due before this wait for the user's confirmation. */
const automatedFrom = sql`greatest(coalesce(s.auto_followups_since, '-infinity') - ${OVERDUE_LIMIT}::interval, s.dry_run_ended_at)`;

/** Candidates by the index `lead_due`. `offset 0` makes Postgres look them up owner by owner instead of among all owners. */
const automaticCandidates = (at: string): RawBuilder<unknown> => sql`user_settings s cross join lateral (
    select d.lead_id, d.due_at from lead_due d where d.owner_id = s.user_id and not d.is_backlog and d.due_at <= ${at}::timestamptz
      and d.due_at >= ${automatedFrom} offset 0
    ) d`;

/** Steps that may be due: candidates from the index, a superset, and the state that the rule must find. */
export type DueSteps = { candidates: (at: string) => RawBuilder<unknown>; state: AutomationState };

/** Steps that automation sends now. */
export const automaticSteps: DueSteps = { candidates: automaticCandidates, state: "scheduled" };

/** Steps that wait for confirmation: marked in the index, or due before automation began. */
export const overdueSteps: DueSteps = {
  candidates: (at) => sql`user_settings s cross join lateral (
    select d.lead_id, d.due_at from lead_due d where d.owner_id = s.user_id and d.is_backlog and d.due_at <= ${at}::timestamptz
    union all
    select d.lead_id, d.due_at from lead_due d where d.owner_id = s.user_id and not d.is_backlog
      and d.due_at <= least(${at}::timestamptz, ${automatedFrom})
    ) d`,
  state: "overdue_unconfirmed",
};

const stepColumns = sql`n.lead_id, n.owner_id, n.followup_id, n.epoch, n.due_at, n.followup_created_at, n.has_replied, n.is_held,
  n.unreachable_reason, n.opted_out_at, n.imported_at, s.auto_followups_since, s.dry_run_ended_at`;

/** Selects the candidates' next steps without blocked ones; the rule decides the rest. */
export const stepsOf = ({ candidates }: DueSteps, at: string): RawBuilder<unknown> =>
  sql`${candidates(at)} join next_followups n on n.lead_id = d.lead_id ${earlierUses}
    where s.auto_followups_enabled and not used.is_used`;

const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** Returns the state of a candidate by the rule; null before it is due. */
function stateOf(row: StepRow, at: number): AutomationState | null {
  const dueAt = Date.parse(row.due_at);
  const person = { unreachableReason: row.unreachable_reason, isOptedOut: row.opted_out_at !== null };
  const step = {
    dueAt,
    createdAt: Date.parse(row.followup_created_at),
    importedAt: ms(row.imported_at),
    hasReplied: row.has_replied,
    isHeld: row.is_held,
  };
  const gate = {
    isAutomated: true,
    automatedSince: ms(row.auto_followups_since),
    dryRunEndedAt: ms(row.dry_run_ended_at),
  };
  return dueAt <= at ? planState(person, step, gate, at) : null;
}

const isDueStep = (row: StepRow, { state }: DueSteps, at: number): boolean => stateOf(row, at) === state;

/**
 * Plans every automatic follow-up that is due before the next run: adds it to the outbox, to be sent within the allowed hours. It never
 * adds a send twice, so it may run at any time, in several processes.
 * @param turnMs how long stale plans are refreshed before known candidates are planned. A full refresh may take minutes, and due messages
 * must not wait for it.
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

/** From this number of candidates on, two halves run in parallel, because most of the time is spent in the database. */
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

/** Returns the owners with possibly due steps, and their number. */
async function countCandidates({ db, clock }: PlanDeps): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`select s.user_id as owner_id, count(*)::int as candidates
    from ${automaticCandidates(reaches(clock.now()))} where s.auto_followups_enabled group by s.user_id`.execute(db);
  return rows;
}

/** Splits the owners into two parts to plan in parallel; an owner's steps stay together, in order. */
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
    const { rows, answered, isMore } = await findDue(deps.db, now, {
      steps: automaticSteps,
      where,
      aheadMs: PLANNING_HORIZON_MS,
    });
    // The index does not notice a reply in the same second as our message; without this, the next run would check it again.
    if (answered.length > 0) await deps.db.transaction().execute((tx) => dropCandidates(tx, answered));
    if (rows.length > 0) planned += await writeFound(deps, now, rows);
    if (!isMore) return planned;
  }
}

/**
 * Writes the sends without checking each for a duplicate. If another process planned one in the meantime, writes them again with the check.
 */
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
  /** the name of the API key that confirmed them */
  byKey?: string | null;
  aheadMs?: number;
};

/** How many were planned, and whether there were more. */
type Batch = { planned: number; isMore: boolean };

/**
 * Plans one batch of due steps, selected by a condition over `s` (settings) and `n` (next steps).
 * @param aheadMs also plans what becomes due within this time; the sender decides again when it claims a message
 */
export const planBatch = (deps: PlanDeps, which: Which): Promise<Batch> =>
  deps.db.transaction().execute((tx) => planBatchIn(tx, deps, which));

export async function planBatchIn(tx: Tx, deps: PlanDeps, which: Which): Promise<Batch> {
  const now = deps.clock.now();
  const { rows, isMore } = await findDue(tx, now, which);
  return { planned: await writePlan(tx, deps, now, rows, which), isMore };
}

const reaches = (now: number, aheadMs = PLANNING_HORIZON_MS): string => new Date(now + aheadMs).toISOString();

/** Returns one batch of due steps, the candidates among them that have replied, and whether there are more. */
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

/** Adds sends to the outbox. @returns how many were not in it yet */
async function writePlan(
  tx: Tx,
  deps: PlanDeps,
  now: number,
  rows: readonly DueRow[],
  { isConfirmed, byKey = null, areNew = false }: Pick<Which, "isConfirmed" | "byKey"> & { areNew?: boolean },
): Promise<number> {
  if (rows.length === 0) return 0;
  const hours = await readHours(tx, rows);
  // Another process may plan the same steps at this moment; each is added only once.
  const planned = await enqueue(
    tx,
    deps,
    rows.flatMap((row) => {
      const allowed = hours.get(row.owner_id);
      // An owner without settings was erased in the meantime.
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

/** Deletes planned candidates. If a lead changed in the meantime, its candidate has another time and stays. */
const dropCandidates = (tx: Tx, rows: readonly DueRow[]) =>
  sql`${hot} delete from lead_due where ctid = any(array(
    select d.ctid from lead_due d join unnest(${rows.map((row) => row.lead_id)}::uuid[], ${rows.map((row) => row.candidate_at)}::timestamptz[])
      as planned(lead_id, due_at) on d.lead_id = planned.lead_id and d.due_at = planned.due_at
    order by d.lead_id for update of d))`.execute(tx);

async function readHours(tx: Tx, rows: readonly DueRow[]): Promise<Map<string, AllowedHours>> {
  const owners = [...new Set(rows.map((row) => row.owner_id))];
  const { rows: settings } = await sql<HoursRow & { owner_id: string }>`${hot}
     select s.user_id as owner_id, ${hoursColumns("s")} from user_settings s where s.user_id = any(${owners}::uuid[])`.execute(
    tx,
  );
  return new Map(settings.map((row) => [row.owner_id, hoursOf(row)]));
}

function leavesAt(row: DueRow, now: number, hours: AllowedHours): string {
  // The id is a keyed hash of the step's name: as good as random, and always the same.
  const spread = spreadOfId(row.random_id);
  return new Date(sendTime({ dueAt: Date.parse(row.due_at), now, hours, spread })).toISOString();
}
