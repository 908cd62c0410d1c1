import { sql, type Selectable } from "kysely";
import type { BatchAction } from "../../domain/batch.ts";
import type { EventType } from "../../domain/events.ts";
import { UNDO_ACTS_MS } from "../../domain/limits.ts";
import { storedReason } from "../../domain/stored-reasons.ts";
import { publishEvents } from "../core/bus.ts";
import { systemClock } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import { SLICE } from "../core/slices.ts";
import { commitLater, commitNow, planByIndexes, type Tx } from "../db/index.ts";
import type { BatchTables } from "../db/tables/batch.ts";
import { isMovedBy } from "../leads/stage-move.ts";
import { act, ActionGone } from "./actions.ts";
import { holdLane, openLanes, type Lane } from "./lanes.ts";
import { undoSlice } from "./undo.ts";

type WorkDeps = Pick<Deps, "db" | "bus" | "clock">;
type Batch = Selectable<BatchTables["lead_batches"]>;

/** Open pages are notified of a batch's progress at most this often. */
const PUBLISH_MS = 1_000;

/** What a process remembers of a batch that it works on. `lane` is its preferred lane. */
export type BatchPace = { size: number; publishedAt: number; lane: number };
export const newBatchPace = (lane = 0): BatchPace => ({ size: SLICE, publishedAt: -Infinity, lane });

/** The batch was stopped during a slice, which is rolled back. */
class BatchStopped extends Error {}

/**
 * Processes the next slice of one of a batch's lanes, in one transaction that also stores the progress. After a crash, the next process
 * continues there.
 * @returns `over` when the batch has ended, `busy` when other transactions hold all its open lanes
 */
export async function workSlice(deps: WorkDeps, batchId: string, pace: BatchPace): Promise<"more" | "over" | "busy"> {
  return deps.db
    .transaction()
    .execute((tx) => workIn(tx, deps, batchId, pace))
    .catch((error: unknown) => {
      if (error instanceof BatchStopped) return "over" as const;
      throw error;
    });
}

async function workIn(tx: Tx, deps: WorkDeps, batchId: string, pace: BatchPace): Promise<"more" | "over" | "busy"> {
  const found = await findLane(tx, batchId, pace.lane);
  if (typeof found === "string") return found;
  const { batch, undone, lane } = found;
  await planByIndexes(tx);
  await commitLater(tx);
  const leads = await nextLeads(tx, found, lane, pace.size);
  const changed = leads === null ? 0 : await change(tx, deps, { batch, undone }, leads);
  if (typeof changed === "string") {
    await commitNow(tx);
    await closeBatch(tx, deps, await reach(tx, batch, lane, {}), { status: "failed", error: changed });
    return "over";
  }
  const seen = leads?.leadIds.length ?? 0;
  const place = seen < pace.size ? lane.end : (leads?.last ?? lane.end);
  const reached = await reach(tx, batch, { ...lane, place }, { seen, changed });
  if (openLanes(reached.places, undone?.total ?? reached.total).length === 0) {
    await commitNow(tx);
    await closeBatch(tx, deps, batch.undo_of === null ? reached : await reachAll(tx, reached), { status: "completed" });
    return "over";
  }
  await tellSometimes(tx, deps, batch, pace);
  return "more";
}

type Undone = { total: number; changed: number; created_at: string };
/** `undone` is the batch that this one undoes. */
type Found = { batch: Batch; undone: Undone | null };

/** Locks one of a batch's lanes for the transaction, the preferred one if possible. */
async function findLane(tx: Tx, batchId: string, first: number): Promise<(Found & { lane: Lane }) | "over" | "busy"> {
  const before = await findBatch(tx, batchId);
  if (before === null) return "over";
  const nearest = lanesOf(before).toSorted((a, b) => Math.abs(a.index - first) - Math.abs(b.index - first));
  for (const { index } of nearest) {
    if (!(await holdLane(tx, batchId, index))) continue;
    // The previous holder of the lane may have moved it on.
    const found = await findBatch(tx, batchId);
    if (found === null) return "over";
    const lane = lanesOf(found).find((one) => one.index === index);
    if (lane !== undefined) return { ...found, lane };
  }
  return "busy";
}

/** Returns the open lanes; if there are none, an empty one, whose slice ends the batch. */
function lanesOf({ batch, undone }: Found): Lane[] {
  const { total } = undone ?? batch;
  const open = openLanes(batch.places, total);
  return open.length > 0 ? open : [{ index: 0, place: total, end: total }];
}

async function findBatch(tx: Tx, id: string): Promise<Found | null> {
  const batch = await tx
    .selectFrom("lead_batches")
    .selectAll()
    .where("id", "=", id)
    .where("status", "=", "in_progress")
    .executeTakeFirst();
  if (batch === undefined) return null;
  if (batch.undo_of === null) return { batch, undone: null };
  const undone = await tx
    .selectFrom("lead_batches")
    .select(["total", "changed", "created_at"])
    .where("id", "=", batch.undo_of)
    .executeTakeFirstOrThrow();
  return { batch, undone };
}

/** Stores a lane's progress. Runs last in its transaction, so that slices of other lanes wait only for its commit. @throws BatchStopped */
async function reach(
  tx: Tx,
  { id, undo_of: undoOf }: Batch,
  { index, place }: Pick<Lane, "index" | "place">,
  { seen = 0, changed = 0 }: { seen?: number; changed?: number },
): Promise<Batch> {
  const left = undoOf === null ? 0 : seen - changed;
  const { rows } = await sql<Batch>`update lead_batches set done = done + ${seen}, changed = changed + ${changed},
      left_alone = left_alone + ${left}, places[${index + 1}::int] = ${place}::int
    where id = ${id}::uuid and status = 'in_progress' returning *`.execute(tx);
  if (rows[0] === undefined) throw new BatchStopped();
  return rows[0];
}

/** Sets the final counts of an undo: leads that were deleted in the meantime count as left. */
const reachAll = (tx: Tx, { id }: Batch): Promise<Batch> =>
  tx
    .updateTable("lead_batches")
    .set((eb) => ({ done: eb.ref("total"), left_alone: eb("total", "-", eb.ref("changed")) }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Some leads of a lane, and the positions of the first and the last in the batch. */
type Next = { leadIds: string[]; first: number; last: number };

/** Returns the next leads of a lane; for an undo, only those that were changed. */
async function nextLeads(tx: Tx, { batch, undone }: Found, { place, end }: Lane, most: number): Promise<Next | null> {
  // A move stores itself what undo needs; the other actions use the target row.
  const isChanged =
    batch.action.type === "move" ? isMovedBy(sql`t.batch_id`, sql`t.lead_id`) : sql<boolean>`t.undo is not null`;
  const rows = await tx
    .selectFrom("lead_batch_targets as t")
    .select(["n", "lead_id"])
    .where("batch_id", "=", batch.undo_of ?? batch.id)
    .where("n", ">", place)
    .where("n", "<=", end)
    .$if(undone !== null && undone.changed < undone.total, (query) => query.where(isChanged))
    .orderBy("n")
    .limit(most)
    .execute();
  const [first, last] = [rows[0]?.n, rows.at(-1)?.n];
  if (first === undefined || last === undefined) return null;
  // The order in which all code locks leads.
  return { leadIds: rows.map((row) => row.lead_id).toSorted(), first, last };
}

/** Returns the number of changed leads, or why the action cannot continue. */
async function change(tx: Tx, deps: WorkDeps, { batch, undone }: Found, leads: Next): Promise<number | string> {
  const slice = {
    ...leads,
    batchId: batch.undo_of ?? batch.id,
    ownerId: batch.owner_id,
    at: deps.clock.iso(),
    byKey: batch.by_key,
  };
  if (undone !== null) return undoSlice(tx, { ...slice, since: undone.created_at }, batch.action.type);
  try {
    return await act(tx, slice, batch.action);
  } catch (error) {
    if (error instanceof ActionGone) return storedReason(error.code);
    throw error;
  }
}

async function tellSometimes(tx: Tx, { bus }: WorkDeps, batch: Batch, pace: BatchPace): Promise<void> {
  if (systemClock.monotonic() - pace.publishedAt < PUBLISH_MS) return;
  pace.publishedAt = systemClock.monotonic();
  const news = [{ type: "leads.changed" }, { type: "batch.changed", data: { id: batch.id } }] as const;
  await publishEvents(bus, batch.owner_id, news, tx);
}

/** Events about counts that an action changes. */
const COUNTED: Record<BatchAction["type"], readonly EventType[]> = {
  move: [],
  hold: [],
  resume: [],
  tag: ["tags.changed"],
  untag: ["tags.changed"],
  exclude: ["exclusions.changed", "tags.changed", "fields.changed"],
};

/** Ends a batch in the caller's transaction. Its changes can be undone for 30 s from now. */
export async function closeBatch(
  tx: Tx,
  { bus, clock }: Pick<Deps, "bus" | "clock">,
  batch: Batch,
  end: { status: "completed" | "cancelled" } | { status: "failed"; error: string },
): Promise<void> {
  const undoUntil = new Date(clock.now() + UNDO_ACTS_MS).toISOString();
  const isUndoable = batch.undo_of === null && batch.changed > 0;
  await tx
    .updateTable("lead_batches")
    .set({ ...end, finished_at: clock.iso(), undo_until: isUndoable ? undoUntil : null })
    .where("id", "=", batch.id)
    .execute();
  const { type } = batch.action;
  if (type === "exclude") {
    // People whom a stopped undo has not restored are erased now.
    await tx
      .updateTable("exclusions")
      .set({ undo_until: batch.undo_of === null ? undoUntil : clock.iso() })
      .where("batch_id", "=", batch.undo_of ?? batch.id)
      .where("lead_id", "is not", null)
      .execute();
    await bus.publish("exclusion.created", { owner_id: batch.owner_id }, tx);
  }
  // Sends that waited for these leads continue.
  if (batch.undo_of !== null) await bus.publish("outbox.ready", { owner_id: batch.owner_id }, tx);
  await publishEvents(
    bus,
    batch.owner_id,
    [
      { type: "lead.changed" },
      { type: "leads.changed" },
      { type: "inbox.changed" },
      ...COUNTED[type].map((counted) => ({ type: counted })),
      { type: "batch.changed", data: { id: batch.id } },
    ],
    tx,
  );
}
