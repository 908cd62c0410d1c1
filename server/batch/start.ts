import { sql, type RawBuilder } from "kysely";
import type { Scope } from "../../domain/api-key.ts";
import { BATCH_INLINE_MAX, type BatchAction, type BatchJob, type BatchRequest } from "../../domain/batch.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse, refuseInput } from "../core/problem.ts";
import { withIdempotencyKey } from "../core/request-keys.ts";
import { LANES } from "../core/slices.ts";
import { reasonFields } from "../core/languages.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { endsHold } from "../leads/automation.ts";
import { leadConditions } from "../leads/filter.ts";
import { holdLanes, placesOf } from "./lanes.ts";
import { closeBatch } from "./work.ts";

type BatchOrigin = {
  ownerId: string;
  key: string | null;
  fingerprint: string;
  byKey?: string | null;
  /** whether the batch may end holds; if not, a new hold skips leads that are held for longer */
  mayEndHolds?: boolean;
};
/** A created batch; a large one runs as a background job. */
export type StartedBatch = { id: string; isLarge: boolean };

/**
 * Creates a batch in one transaction and freezes its leads: those that match now. Runs once per idempotency key.
 * @throws ProblemError 422 for an invalid filter, an unknown stage or tag, or a hold that ends in the past
 */
export function startBatch(deps: Deps, origin: BatchOrigin, request: BatchRequest): Promise<StartedBatch> {
  const at = deps.clock.iso();
  return deps.db
    .transaction()
    .execute((tx) => withIdempotencyKey(tx, { ...origin, at }, () => freeze(tx, deps, origin, request, at)));
}

async function freeze(
  tx: Tx,
  deps: Deps,
  { ownerId, byKey = null, mayEndHolds = true }: BatchOrigin,
  { where, action }: BatchRequest,
  at: string,
): Promise<StartedBatch> {
  await checkAction(tx, deps, ownerId, action);
  const { id } = await tx
    .insertInto("lead_batches")
    .values({ owner_id: ownerId, action: JSON.stringify(action), by_key: byKey, created_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  const matching: RawBuilder<unknown> =
    "ids" in where
      ? sql`leads.owner_id = ${ownerId}::uuid and leads.id = any(${where.ids}::uuid[])`
      : await leadConditions(tx, ownerId, where.query);
  const passedOver = action.type === "hold" && !mayEndHolds ? sql`and not ${endsHold(action.until ?? null)}` : sql``;
  // By age: a slice then writes neighbouring rows of the table and its indexes.
  const { numAffectedRows } = await sql`insert into lead_batch_targets (batch_id, n, lead_id, owner_id)
    select ${id}::uuid, row_number() over (order by leads.created_at desc, leads.id desc), leads.id, ${ownerId}::uuid
    from leads where (${matching}) ${passedOver} order by 2`.execute(tx);
  const total = Number(numAffectedRows ?? 0);
  const isLarge = total > BATCH_INLINE_MAX;
  const places = placesOf(total, isLarge ? LANES[deps.engine.kind] : 1);
  await tx.updateTable("lead_batches").set({ total, places }).where("id", "=", id).execute();
  if (isLarge) await deps.bus.publish("batch.requested", { owner_id: ownerId }, tx);
  return { id, isLarge };
}

async function checkAction(tx: Tx, { clock }: Deps, ownerId: string, action: BatchAction): Promise<void> {
  if (action.type === "move") {
    const stage = await tx
      .selectFrom("stages")
      .select("id")
      .where("id", "=", action.stage_id)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    if (stage === undefined) throw refuseInput("action.stage_id", "stage_gone_reload", null, "Unknown stage.");
  }
  if (action.type === "tag" || action.type === "untag") {
    const tags = await tx
      .selectFrom("tags")
      .select("id")
      .where("id", "in", action.tag_ids)
      .where("owner_id", "=", ownerId)
      .where("deleted_at", "is", null)
      .execute();
    if (tags.length < action.tag_ids.length)
      throw refuseInput("action.tag_ids", "tags_gone", null, "Holds an unknown tag.");
  }
  if (action.type === "hold" && action.until != null && Date.parse(action.until) <= clock.now())
    throw refuseInput("action.until", "time_over", null, "Must be in the future.");
}

/** Returns the scope that undo needs: `send` for a hold, because automation continues; else `write`, also for an unknown batch. */
export async function undoScope(db: DbOrTx, ownerId: string, id: string): Promise<Scope> {
  const batch = await db
    .selectFrom("lead_batches")
    .select("action")
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return batch?.action.type === "hold" ? "send" : "write";
}

/**
 * Creates the undo of a batch; a repeated call returns the same one.
 * @throws ProblemError 404; 409 while the batch runs, or when its 30 s for undo have passed
 */
export function startUndo(deps: Deps, ownerId: string, id: string): Promise<StartedBatch> {
  return deps.db.transaction().execute(async (tx) => {
    const at = deps.clock.iso();
    const batch = await tx
      .selectFrom("lead_batches")
      .select(["id", "status", "total", "changed", "action", "undo_until"])
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .where("undo_of", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (batch === undefined) throw notFound();
    const isLarge = batch.changed > BATCH_INLINE_MAX;
    const before = await tx.selectFrom("lead_batches").select("id").where("undo_of", "=", id).executeTakeFirst();
    if (before !== undefined) return { id: before.id, isLarge };
    if (batch.status === "in_progress") throw refuse(409, "batch_running");
    if (batch.undo_until === null || Date.parse(batch.undo_until) <= deps.clock.now())
      throw refuse(409, "undo_too_late", { reason: "batch" });
    const undo = await tx
      .insertInto("lead_batches")
      .values({
        owner_id: ownerId,
        action: JSON.stringify(batch.action),
        undo_of: id,
        total: batch.changed,
        places: placesOf(batch.total, isLarge ? LANES[deps.engine.kind] : 1),
        created_at: at,
        has_targets: false,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    // People whom the batch excluded are not erased while undo restores them.
    await tx.updateTable("exclusions").set({ undo_until: null }).where("batch_id", "=", id).execute();
    if (isLarge) await deps.bus.publish("batch.requested", { owner_id: ownerId }, tx);
    return { id: undo.id, isLarge };
  });
}

/** Returns a batch's progress. @throws ProblemError 404 */
export async function readBatch(db: DbOrTx, ownerId: string, id: string, now: number): Promise<BatchJob> {
  const row = await db
    .selectFrom("lead_batches as b")
    .leftJoin("lead_batches as u", "u.undo_of", "b.id")
    .select([
      "b.status",
      "b.done",
      "b.total",
      "b.changed",
      "b.left_alone",
      "b.error",
      "b.undo_until",
      "u.id as undone_by",
    ])
    .where("b.id", "=", id)
    .where("b.owner_id", "=", ownerId)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  const { status, done, total, changed, left_alone: left } = row;
  const canUndo = row.undo_until !== null && Date.parse(row.undo_until) > now && row.undone_by === null;
  const undoable = { undo_id: canUndo ? id : null, undo_until: canUndo ? row.undo_until : null };
  return { status, done, total, ...undoable, changed, left, ...reasonFields("error", row.error) };
}

/** Stops a running batch; its changes can be undone. @throws ProblemError 404 */
export function stopBatch(deps: Deps, ownerId: string, id: string): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const found = tx.selectFrom("lead_batches").selectAll().where("id", "=", id).where("owner_id", "=", ownerId);
    const before = await found.executeTakeFirst();
    // A slice locks exclusions before the batch, and `closeBatch` after it. Waiting for the slices avoids a deadlock.
    if (before?.action.type === "exclude" && before.undo_of !== null) await holdLanes(tx, id, before.places.length);
    const batch = await found.forUpdate().executeTakeFirst();
    if (batch === undefined) throw notFound();
    if (batch.status !== "in_progress") return;
    await closeBatch(tx, deps, batch, { status: "cancelled" });
  });
}
