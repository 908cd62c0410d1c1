import { sql, type Selectable } from "kysely";
import type { BatchAction } from "../../domain/batch.ts";
import type { EventType } from "../../domain/events.ts";
import { UNDO_ACTS_MS } from "../../domain/limits.ts";
import { publishEvents } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import { keepPace, newPace, type Pace } from "../core/slice-pace.ts";
import { commitLater, commitNow, planByIndexes, type Tx } from "../db/index.ts";
import type { BatchTables } from "../db/tables/batch.ts";
import { isMovedBy } from "../leads/index.ts";
import { act, ActionGone } from "./actions.ts";
import { takeBack } from "./undo.ts";

type WorkDeps = Pick<Deps, "db" | "bus" | "clock" | "engine">;
type Batch = Selectable<BatchTables["lead_batches"]>;

/** Pages are told of a batch no more often. */
const TELL_MS = 1_000;

/** What one process remembers of a batch that it works on. */
export type BatchPace = Pace & { toldAt: number };
export const newBatchPace = ({ engine }: Pick<Deps, "engine">): BatchPace => ({
  ...newPace(engine),
  toldAt: -Infinity,
});

/**
 * Works on a batch's next leads, in one transaction that says how far it has come: whatever stops the process, the next one goes on there.
 * @returns `over` when nothing is left of it, `busy` when another process is at it
 */
export async function workSlice(deps: WorkDeps, batchId: string, pace: BatchPace): Promise<"more" | "over" | "busy"> {
  const began = performance.now();
  const outcome = await deps.db.transaction().execute(async (tx) => {
    const batch = await tx
      .selectFrom("lead_batches")
      .selectAll()
      .where("id", "=", batchId)
      .where("status", "=", "in_progress")
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (batch === undefined) return null;
    await planByIndexes(tx);
    await commitLater(tx);
    const leadIds = await nextLeads(tx, batch, pace.size);
    const changed = leadIds.length === 0 ? 0 : await change(tx, deps, batch, leadIds);
    if (typeof changed === "string") {
      await commitNow(tx);
      await closeBatch(tx, deps, batch, { status: "failed", error: changed });
      return "over";
    }
    const isOver = leadIds.length < pace.size;
    const [isUndo, sum] = [batch.undo_of !== null, batch.changed + changed];
    const reached = {
      // Of leads that are gone meanwhile an undo sees nothing any more.
      done: isUndo && isOver ? batch.total : batch.done + leadIds.length,
      changed: sum,
      left_alone: !isUndo ? 0 : isOver ? batch.total - sum : batch.left_alone + leadIds.length - changed,
    };
    await tx
      .updateTable("lead_batches")
      .set({ ...reached, place: leadIds.at(-1) ?? batch.place })
      .where("id", "=", batch.id)
      .execute();
    if (isOver) {
      await commitNow(tx);
      await closeBatch(tx, deps, { ...batch, ...reached }, { status: "completed" });
    } else await tellSometimes(tx, deps, batch, pace);
    return isOver ? "over" : "more";
  });
  if (outcome === null) return (await isOpen(deps, batchId)) ? "busy" : "over";
  keepPace(pace, deps.engine, performance.now() - began);
  return outcome;
}

const isOpen = async ({ db }: WorkDeps, id: string): Promise<boolean> =>
  (await db
    .selectFrom("lead_batches")
    .select("id")
    .where("id", "=", id)
    .where("status", "=", "in_progress")
    .executeTakeFirst()) !== undefined;

/** In the order of their ids, as everyone locks leads. An undo goes over those that were changed. */
async function nextLeads(tx: Tx, batch: Batch, most: number): Promise<string[]> {
  const { place, undo_of: undoOf } = batch;
  // A move is written down by the move itself, all else beside the target.
  const isChanged =
    batch.action.type === "move" ? isMovedBy(sql`t.batch_id`, sql`t.lead_id`) : sql<boolean>`t.undo is not null`;
  const rows = await tx
    .selectFrom("lead_batch_targets as t")
    .select("lead_id")
    .where("batch_id", "=", undoOf ?? batch.id)
    .$if(place !== null, (query) => query.where("lead_id", ">", place ?? ""))
    .$if(undoOf !== null, (query) => query.where(isChanged))
    .orderBy("lead_id")
    .limit(most)
    .execute();
  return rows.map((row) => row.lead_id);
}

/** @returns how many leads are another than before, or why the action cannot go on */
async function change(tx: Tx, deps: WorkDeps, batch: Batch, leadIds: readonly string[]): Promise<number | string> {
  const slice = {
    batchId: batch.undo_of ?? batch.id,
    ownerId: batch.owner_id,
    leadIds,
    at: deps.clock.iso(),
    byKey: batch.by_key,
  };
  if (batch.undo_of !== null) {
    const undone = await tx
      .selectFrom("lead_batches")
      .select("created_at")
      .where("id", "=", batch.undo_of)
      .executeTakeFirstOrThrow();
    return takeBack(tx, { ...slice, since: undone.created_at }, batch.action.type);
  }
  try {
    return await act(tx, slice, batch.action);
  } catch (error) {
    if (error instanceof ActionGone) return error.message;
    throw error;
  }
}

async function tellSometimes(tx: Tx, { bus }: WorkDeps, batch: Batch, pace: BatchPace): Promise<void> {
  if (performance.now() - pace.toldAt < TELL_MS) return;
  pace.toldAt = performance.now();
  const news = [{ type: "leads.changed" }, { type: "batch.changed", data: { id: batch.id } }] as const;
  await publishEvents(bus, batch.owner_id, news, tx);
}

/** Of what an action changes the number, for pages that show it. */
const COUNTED: Record<BatchAction["type"], readonly EventType[]> = {
  move: [],
  hold: [],
  resume: [],
  tag: ["tags.changed"],
  untag: ["tags.changed"],
  exclude: ["exclusions.changed", "tags.changed", "fields.changed"],
};

/** Ends a batch in the caller's transaction. What it has changed can be taken back from now on, for half a minute. */
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
    // Whom an undo that was stopped has not brought back is erased now.
    await tx
      .updateTable("exclusions")
      .set({ undo_until: batch.undo_of === null ? undoUntil : clock.iso() })
      .where("batch_id", "=", batch.undo_of ?? batch.id)
      .where("lead_id", "is not", null)
      .execute();
    await bus.publish("exclusion.made", { owner_id: batch.owner_id }, tx);
  }
  // What waited for these people goes on.
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
