import { setTimeout as rest } from "node:timers/promises";
import { sql } from "kysely";
import { audit } from "../core/audit.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { conflict, notFound } from "../core/problem.ts";
import { keepPace, LANES, newPace, othersWait } from "../core/slice-pace.ts";
import { commitLater, commitNow, planByIndexes, type Tx } from "../db/index.ts";
import { restRulesWithoutStage } from "../reminders/index.ts";
import { editStages, listStages } from "./repository.ts";

/** So many leads of a deleted stage move with it, in one transaction. */
const LEADS_AT_ONCE = 500;
/** Leads that somebody else is changing are left to the next round. */
const BUSY_MS = 50;

/** The background job that moves the leads of deleted stages. */
export const FINISH_REMOVALS = "stages.remove";
/** So long the answer waits for the leads to have moved: those of all but the largest stages have by then. */
const ANSWER_WITHIN_MS = 1_500;

/**
 * Deletes a stage and moves its leads on. Of very many leads the last ones follow in the background: an event tells when they have moved.
 * @throws ProblemError 404; 409 for the last stage while leads are in it
 */
export async function deleteStage(
  deps: Pick<Deps, "db" | "bus" | "clock" | "jobs" | "engine">,
  ownerId: string,
  stageId: string,
  byKey: string | null = null,
): Promise<void> {
  await editStages(deps, ownerId, async (tx) => {
    await removeStage(tx, ownerId, stageId, deps.clock.iso(), byKey);
    await publishEvent(deps.bus, ownerId, "lead.changed", {}, tx);
  });
  // The stage is gone by now: what fails here is the background's to try again.
  const isDone = await finishRemovals(deps, { ownerId, forMs: ANSWER_WITHIN_MS }).catch(() => false);
  if (!isDone) await deps.jobs.trigger(FINISH_REMOVALS);
}

/**
 * Takes a stage out: its follow-ups stay, unassigned, its reminders rest, and its leads move to the first remaining stage as by any
 * stage change; of very many only the first ones at once, the others by `finishRemovals`.
 * @param byKey the name of the key by which a program deletes it
 * @throws ProblemError 404; 409 for the last stage while leads are in it
 */
export async function removeStage(
  tx: Tx,
  ownerId: string,
  stageId: string,
  at: string,
  byKey: string | null = null,
): Promise<void> {
  const stages = await listStages(tx, ownerId);
  if (!stages.some(({ id }) => id === stageId)) throw notFound();
  await tx
    .updateTable("followups")
    .set({ stage_id: null })
    .where("owner_id", "=", ownerId)
    .where("stage_id", "=", stageId)
    .execute();
  await restRulesWithoutStage(tx, stageId);
  // Waits for whoever is putting a lead into it; after that nobody can.
  await tx.deleteFrom("stages").where("owner_id", "=", ownerId).where("id", "=", stageId).execute();
  const leads = await countLeads(tx, ownerId, stageId);
  if (stages.length === 1 && leads > 0) {
    throw conflict(
      "last_stage_in_use",
      `This is the last stage and it holds ${leads} lead${leads === 1 ? "" : "s"}. Add another stage first.`,
    );
  }
  await sql`update stages s set "order" = n.position from (
    select id, row_number() over (order by "order")::int as position from stages where owner_id = ${ownerId}
  ) n where s.id = n.id and s."order" <> n.position`.execute(tx);
  if (leads > 0) {
    const removal = { stage_id: stageId, owner_id: ownerId, at, by_key: byKey };
    await tx.insertInto("stage_removals").values(removal).execute();
    await moveBatch(tx, removal, { most: LEADS_AT_ONCE, end: "newest", after: null });
  }
  await audit(tx, { userId: ownerId, action: "stage_deleted", at, detail: { stage_id: stageId, leads_moved: leads } });
}

/** How many leads a stage holds, with those still on their way out of stages deleted before when it is the owner's last. */
async function countLeads(tx: Tx, ownerId: string, stageId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from leads where owner_id = ${ownerId}::uuid and (stage_id = ${stageId}::uuid or (
      not exists (select from stages where owner_id = ${ownerId}::uuid)
      and stage_id in (select stage_id from stage_removals where owner_id = ${ownerId}::uuid)))`.execute(tx);
  return rows[0]?.n ?? 0;
}

/**
 * Moves the leads of deleted stages to the first remaining one, in batches, each in a transaction of its own, so that nobody waits for
 * long. Safe to run at any time and in several processes; what a stopped one left is finished by the next.
 * @param of.ownerId of this owner alone
 * @param of.forMs begins no further batch after this time
 * @returns whether all of them have moved
 * @throws the first failure, once those of all other stages have moved
 */
export async function finishRemovals(
  deps: RemovalDeps,
  { ownerId, forMs = Infinity }: { ownerId?: string; forMs?: number } = {},
): Promise<boolean> {
  const until = performance.now() + forMs;
  const open = await deps.db
    .selectFrom("stage_removals")
    .selectAll()
    .$if(ownerId !== undefined, (query) => query.where("owner_id", "=", ownerId ?? ""))
    .orderBy("at")
    .execute();
  const failures: unknown[] = [];
  for (const removal of open) {
    try {
      if (!(await finishRemoval(deps, removal, until))) return false;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return true;
}

async function finishRemoval(deps: RemovalDeps, removal: Removal, until: number): Promise<boolean> {
  const work = { removal, until, isOver: false };
  const lanes = ENDS.slice(0, LANES[deps.engine.kind]).map((end) => moveFrom(deps, work, end));
  const outcomes = await Promise.allSettled(lanes);
  if (!work.isOver) {
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    return false;
  }
  // Whatever befell one lane, the other has come to the end, and nobody comes back to it.
  await publishEvent(deps.bus, removal.owner_id, "lead.changed", {});
  return true;
}

/** Moves leads from one end of the stage, until none is left or the time is over; where the lanes meet, each passes over what another holds. */
async function moveFrom(deps: RemovalDeps, work: Work, end: End): Promise<void> {
  const pace = newPace(deps.engine);
  for (let after: Place | null = null; ;) {
    const began = performance.now();
    const { moved, isLeft, last }: Moved = await deps.db.transaction().execute(async (tx) => {
      await commitLater(tx);
      return moveBatch(tx, work.removal, { most: pace.size, end, after });
    });
    keepPace(pace, deps.engine, performance.now() - began);
    if (!isLeft) work.isOver = true;
    if (moved === 0 && after === null && isLeft) await rest(BUSY_MS);
    after = last;
    const mayGoOn = () => !work.isOver && performance.now() < work.until;
    while (end !== ENDS[0] && mayGoOn() && (await othersWait(deps))) await rest(BUSY_MS);
    if (!mayGoOn()) return;
  }
}

type RemovalDeps = Pick<Deps, "db" | "bus" | "engine">;
/** What the lanes of one removal share: one that finds no lead left ends them all. */
type Work = { removal: Removal; until: number; isOver: boolean };
type Removal = { stage_id: string; owner_id: string; at: string; by_key: string | null };

/** From which end a lane takes a stage's leads. */
const ENDS = ["newest", "oldest"] as const;
type End = (typeof ENDS)[number];
/** Where a lead stands in its stage. */
type Place = { at: string; id: string };
/** `last` is the place of the last lead that moved while there are more behind it, else null: those that were held are left. */
type Moved = { moved: number; isLeft: boolean; last: Place | null };

/** @param slice.after begins behind this place: what moved before would be looked over once more by each batch */
async function moveBatch(
  tx: Tx,
  { stage_id: from, owner_id: ownerId, at, by_key: byKey }: Removal,
  { most, end, after }: { most: number; end: End; after: Place | null },
): Promise<Moved> {
  await planByIndexes(tx);
  const [way, isBehind] = end === "newest" ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const behind =
    after === null ? sql`` : sql`and (created_at, id) ${isBehind} (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<{ seen: number; moved: number; last: Place | null }>`
    with target as materialized (
      -- Held, so that it is not deleted before its leads are in it; one that goes in this moment is passed over.
      select id from stages where owner_id = ${ownerId}::uuid order by "order" limit 1 for key share
    ), batch as (
      select ctid as row, id, created_at from leads where stage_id = ${from}::uuid and owner_id = ${ownerId}::uuid ${behind}
      order by created_at ${way}, id ${way} limit ${most} for update skip locked
    ), moved as (
      -- Where they lie they are found without an index; one that somebody had just written lies elsewhere, and comes at the end.
      update leads l set stage_id = t.id, stage_entry_epoch = stage_entry_epoch + 1, followup_order_sent = 0,
        last_followup_sent_at = null, stage_entered_at = ${at}::timestamptz
      from target t cross join batch where l.ctid = batch.row returning l.id, l.stage_id, l.stage_entry_epoch
    ), told as (
      insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, epoch, by_key, at)
      select ${ownerId}::uuid, id, ${from}::uuid, stage_id, 'stage_deleted', stage_entry_epoch, ${byKey}::text, ${at}::timestamptz from moved
    )
    select (select count(*)::int from batch) as seen, (select count(*)::int from moved) as moved,
      (select json_build_object('at', created_at, 'id', id) from batch order by created_at ${way}, id ${way} offset ${most - 1}) as last`.execute(
    tx,
  );
  const { seen = 0, moved = 0, last = null } = rows[0] ?? {};
  if (seen === most) return { moved, isLeft: true, last };
  const left = await tx
    .selectFrom("leads")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("stage_id", "=", from)
    .limit(1)
    .executeTakeFirst();
  if (left === undefined) {
    await commitNow(tx);
    await tx.deleteFrom("stage_removals").where("stage_id", "=", from).execute();
  }
  return { moved, isLeft: left !== undefined, last: null };
}
