import { sql, type RawBuilder } from "kysely";
import { publishEvent } from "../core/bus.ts";
import { systemClock } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import { LANES, restAfter, SLICE } from "../core/slices.ts";
import { commitLater, planByIndexes, type DbOrTx, type Tx } from "../db/index.ts";
import { beforeStageDeletion } from "../lead-rows/lead.ts";
import { carrySendsOver } from "../outbox/entry.ts";
import { carryReminderMarksOver } from "../reminders/plan.ts";

/** Lock timeout: leads that another transaction is changing are left for the next round. */
const BUSY_MS = 50;

type LaneDeps = Pick<Deps, "db" | "bus" | "engine">;
/** Shared by the lanes of one removal: the first to find no lead left ends all. */
type Work = { removal: Removal; until: number; isOver: boolean };
/** `moving`: leads are leaving a deleted stage. `returning`: they are going back to a restored one. `moved`: finished. */
export type Removal = {
  stage_id: string;
  owner_id: string;
  at: string;
  by_key: string | null;
  state: "moving" | "moved" | "returning";
};

/** From which end of a stage a lane takes leads. */
const ENDS = ["newest", "oldest"] as const;
type End = (typeof ENDS)[number];
type Place = { at: string; id: string };
/**
 * `last` is the position of the last moved lead if more follow, else null. `isLeft`: leads remain, further back or locked by other
 * transactions.
 */
type Moved = { moved: number; isLeft: boolean; last: Place | null };
type Slice = { most: number; end: End; after: Place | null };

/** Moves the first leads of a removal, in the transaction that starts it. */
export async function beginRemoval(tx: Tx, removal: Removal): Promise<void> {
  const { isLeft } = await moveBatch(tx, removal, { most: SLICE, end: "newest", after: null });
  if (!isLeft) await closeRemoval(tx, removal);
}

/**
 * Moves leads of deleted stages to the first remaining one, and those of restored stages back, in small transactions that keep no other
 * request waiting. Safe to run at any time and in several processes; another process finishes what a stopped one left.
 * @param of.ownerId only this owner
 * @param of.forMs starts no batch after this time
 * @returns whether all have moved
 * @throws the first failure, after the leads of all other stages have moved
 */
export async function finishRemovals(
  deps: LaneDeps,
  { ownerId, forMs = Infinity }: { ownerId?: string; forMs?: number } = {},
): Promise<boolean> {
  const until = systemClock.monotonic() + forMs;
  const open = await deps.db
    .selectFrom("stage_removals")
    .select(["stage_id", "owner_id", "at", "by_key", "state"])
    .where("state", "!=", "moved")
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

async function finishRemoval(deps: LaneDeps, removal: Removal, until: number): Promise<boolean> {
  const work = { removal, until, isOver: false };
  const lanes = ENDS.slice(0, LANES[deps.engine.kind]).map((end) => moveFrom(deps, work, end));
  const outcomes = await Promise.allSettled(lanes);
  if (!work.isOver) {
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    return false;
  }
  // Even if one lane failed, the other has reached the end, and no later run would close the removal.
  await closeRemoval(deps.db, removal);
  await publishEvent(deps.bus, removal.owner_id, "lead.changed", {});
  return true;
}

/**
 * Closes a removal that has no lead left. Runs as its own statement: two lanes that both lock the removal and close it would deadlock. A
 * deleted stage keeps its row, from which it can be restored.
 */
async function closeRemoval(db: DbOrTx, { stage_id: stageId, state }: Removal): Promise<void> {
  if (state === "returning")
    await db.deleteFrom("stage_removals").where("stage_id", "=", stageId).where("state", "=", state).execute();
  else
    await db
      .updateTable("stage_removals")
      .set({ state: "moved" })
      .where("stage_id", "=", stageId)
      .where("state", "=", state)
      .execute();
}

/** Moves leads from one end until none is left or the time is over. Where the lanes meet, each skips what the other has locked. */
async function moveFrom(deps: LaneDeps, work: Work, end: End): Promise<void> {
  const canContinue = () => !work.isOver && systemClock.monotonic() < work.until;
  let after: Place | null = null;
  do {
    const began = systemClock.monotonic();
    const { moved, isLeft, last }: Moved = await deps.db.transaction().execute(async (tx) => {
      await commitLater(tx);
      return moveBatch(tx, work.removal, { most: SLICE, end, after });
    });
    const tookMs = systemClock.monotonic() - began;
    if (!isLeft) work.isOver = true;
    if (moved === 0 && after === null && isLeft) await systemClock.sleep(BUSY_MS);
    after = last;
    if (canContinue()) await restAfter(ENDS.indexOf(end), tookMs);
  } while (canContinue());
}

type Batch = { seen: number; moved: number; last: Place | null };

/** @param slice.after starts after this position; otherwise each batch would scan the moved leads again */
async function moveBatch(tx: Tx, removal: Removal, slice: Slice): Promise<Moved> {
  await planByIndexes(tx);
  const { stage_id: stageId, owner_id: ownerId, state } = removal;
  // A concurrent delete or restore of the stage waits for this batch; the next batch then finds the removal changed.
  const { rows } =
    await sql`select from stage_removals where stage_id = ${stageId}::uuid and state = ${state} for share`.execute(tx);
  if (rows.length === 0) return { moved: 0, isLeft: false, last: null };
  const { seen, moved, last } =
    state === "returning" ? await returnLeads(tx, removal, slice) : await moveLeadsOut(tx, removal, slice);
  if (seen === slice.most) return { moved, isLeft: true, last };
  const left = await tx
    .selectFrom("leads")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where(state === "returning" ? "held_from" : "stage_id", "=", stageId)
    .limit(1)
    .executeTakeFirst();
  return { moved, isLeft: left !== undefined, last: null };
}

/** The next leads of a slice, locked; `row` is the row position. Skips leads that another transaction is changing. */
const nextLeads = (ownerId: string, which: RawBuilder<unknown>, { most, end, after }: Slice): RawBuilder<unknown> => {
  const [way, isBehind] = end === "newest" ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  const behind =
    after === null ? sql`` : sql`and (created_at, id) ${isBehind} (${after.at}::timestamptz, ${after.id}::uuid)`;
  return sql`select ctid as row, id, created_at, stage_entry_epoch, followup_order_sent, last_followup_sent_at, stage_entered_at,
        held_at, held_until, held_from
      from leads where ${which} and owner_id = ${ownerId}::uuid ${behind}
      order by created_at ${way}, id ${way} limit ${most} for update skip locked`;
};

/** The position of the batch's last lead. */
const lastPlace = ({ most, end }: Slice): RawBuilder<unknown> => {
  const way = end === "newest" ? sql`desc` : sql`asc`;
  return sql`(select json_build_object('at', created_at, 'id', id) from batch order by created_at ${way}, id ${way} offset ${most - 1}) as last`;
};

const NONE: Batch = { seen: 0, moved: 0, last: null };

/** Moves leads out of a deleted stage. The user's own hold without an end keeps its date, because a manual move does not end it. */
async function moveLeadsOut(
  tx: Tx,
  { stage_id: from, owner_id: ownerId, at, by_key: byKey }: Removal,
  slice: Slice,
): Promise<Batch> {
  const { rows } = await sql<Batch>`
    with target as materialized (
      -- Locked, so that it is not deleted before the leads are moved into it. A stage that is being deleted is skipped.
      select id from stages where owner_id = ${ownerId}::uuid order by "order" limit 1 for key share
    ), batch as (
      ${nextLeads(ownerId, sql`stage_id = ${from}::uuid`, slice)}
    ), moved as (
      -- By row position, without an index. A lead changed since then has another position; a later batch moves it.
      update leads l set stage_id = t.id, stage_entry_epoch = l.stage_entry_epoch + 1, followup_order_sent = 0,
        last_followup_sent_at = null, stage_entered_at = ${at}::timestamptz,
        held_at = case when l.held_at is not null and l.held_until is null then l.held_at else ${at}::timestamptz end,
        held_until = null, held_from = ${from}::uuid
      from target t cross join batch b where l.ctid = b.row
      returning l.id, l.stage_id, l.stage_entry_epoch, ${beforeStageDeletion("b")} as undo
    ), told as (
      insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, epoch, by_key, at, undo)
      select ${ownerId}::uuid, id, ${from}::uuid, stage_id, 'stage_deleted', stage_entry_epoch, ${byKey}::text, ${at}::timestamptz, undo from moved
    )
    select (select count(*)::int from batch) as seen, (select count(*)::int from moved) as moved, ${lastPlace(slice)}`.execute(
    tx,
  );
  return rows[0] ?? NONE;
}

/** Moves leads back into a restored stage. One that was moved or got a follow-up since then stays. All get their previous hold back. */
async function returnLeads(tx: Tx, { stage_id: to, owner_id: ownerId, at }: Removal, slice: Slice): Promise<Batch> {
  const { rows } = await sql<Batch & { returned: string[] }>`
    with target as materialized (
      select id from stages where id = ${to}::uuid for key share
    ), batch as (
      ${nextLeads(ownerId, sql`held_from = ${to}::uuid`, slice)}
    ), before as (
      select b.row, h.id as history, h.undo, h.epoch = b.stage_entry_epoch and b.followup_order_sent = 0 as is_back
      from batch b
      -- Lead by lead: with the owner's index, all of the owner's history would be read.
      cross join lateral (
        select id, undo, epoch from stage_history where lead_id = b.id and reason = 'stage_deleted' and from_stage_id = ${to}::uuid
        order by id desc limit 1 offset 0
      ) h
    ), moved as (
      update leads l set stage_id = case when is_back then t.id else l.stage_id end,
        stage_entry_epoch = l.stage_entry_epoch + case when is_back then 1 else 0 end,
        followup_order_sent = case when is_back then (undo ->> 'followup_order_sent')::int else l.followup_order_sent end,
        last_followup_sent_at = case when is_back then (undo ->> 'last_followup_sent_at')::timestamptz else l.last_followup_sent_at end,
        stage_entered_at = case when is_back then (undo ->> 'stage_entered_at')::timestamptz else l.stage_entered_at end,
        skipped_epoch = case when is_back and l.skipped_epoch = l.stage_entry_epoch - 1 then l.stage_entry_epoch + 1 else l.skipped_epoch end,
        held_at = (undo ->> 'held_at')::timestamptz, held_until = (undo ->> 'held_until')::timestamptz, held_from = (undo ->> 'held_from')::uuid
      from target t cross join before where l.ctid = before.row returning l.id, before.history, before.is_back
    ), forgotten as (
      delete from stage_history where id in (select history from moved where is_back)
    )
    select (select count(*)::int from batch) as seen, (select count(*)::int from moved) as moved, ${lastPlace(slice)},
      array(select id from moved where is_back) as returned`.execute(tx);
  const { returned, ...batch } = rows[0] ?? { ...NONE, returned: [] };
  if (returned.length > 0) {
    await carrySendsOver(tx, { ownerId, leadIds: returned, since: at });
    await carryReminderMarksOver(tx, returned);
  }
  return batch;
}
