import { sql, type RawBuilder } from "kysely";
import type { Scope } from "../../domain/api-key.ts";
import { BATCH_AT_ONCE, type BatchAction, type BatchJob, type BatchOrder } from "../../domain/batch.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse, refuseInput } from "../core/problem.ts";
import { onceByKey } from "../core/request-keys.ts";
import { LANES } from "../core/slices.ts";
import { reasonFields } from "../core/languages.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import { endsHold } from "../leads/automation.ts";
import { leadConditions } from "../leads/filter.ts";
import { holdLanes, placesOf } from "./lanes.ts";
import { closeBatch } from "./work.ts";

type Asked = {
  ownerId: string;
  key: string | null;
  fingerprint: string;
  byKey?: string | null;
  /** whether automation may go on sooner by it; by whom not, a hold passes over leads that are held for longer */
  mayEndHolds?: boolean;
};
/** A batch that was ordered; a large one is worked off by itself. */
export type Ordered = { id: string; isLarge: boolean };

/**
 * Freezes which leads a batch acts on, in one transaction: those that match in this moment. Once for each key that the caller gives.
 * @throws ProblemError 422 for a filter that cannot be read, an unknown stage or tag, or a hold that ends in the past
 */
export function orderBatch(deps: Deps, asked: Asked, order: BatchOrder): Promise<Ordered> {
  const at = deps.clock.iso();
  return deps.db
    .transaction()
    .execute((tx) => onceByKey(tx, { ...asked, at }, () => freeze(tx, deps, asked, order, at)));
}

async function freeze(
  tx: Tx,
  deps: Deps,
  { ownerId, byKey = null, mayEndHolds = true }: Asked,
  { where, action }: BatchOrder,
  at: string,
): Promise<Ordered> {
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
  // In the order in which they came: what lies beside each other in the table and its indexes is then written by the same slice.
  const { numAffectedRows } = await sql`insert into lead_batch_targets (batch_id, n, lead_id, owner_id)
    select ${id}::uuid, row_number() over (order by leads.created_at desc, leads.id desc), leads.id, ${ownerId}::uuid
    from leads where (${matching}) ${passedOver} order by 2`.execute(tx);
  const total = Number(numAffectedRows ?? 0);
  const isLarge = total > BATCH_AT_ONCE;
  const places = placesOf(total, isLarge ? LANES[deps.engine.kind] : 1);
  await tx.updateTable("lead_batches").set({ total, places }).where("id", "=", id).execute();
  if (isLarge) await deps.bus.publish("batch.ordered", { owner_id: ownerId }, tx);
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

/** What the taking back of a batch needs: where it was a hold, automation goes on by it. `write` for one that there is not. */
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
 * Orders that a batch is taken back; asked again, it is the same order.
 * @throws ProblemError 404; 409 while it is being worked off, or when its half minute is over
 */
export function orderUndo(deps: Deps, ownerId: string, id: string): Promise<Ordered> {
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
    const isLarge = batch.changed > BATCH_AT_ONCE;
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
    // What a batch has excluded is not erased while it comes back.
    await tx.updateTable("exclusions").set({ undo_until: null }).where("batch_id", "=", id).execute();
    if (isLarge) await deps.bus.publish("batch.ordered", { owner_id: ownerId }, tx);
    return { id: undo.id, isLarge };
  });
}

/** A batch's progress. @throws ProblemError 404 */
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

/** Ends a batch where it stands; what was done can be taken back. One that is over stays as it is. @throws ProblemError 404 */
export function stopBatch(deps: Deps, ownerId: string, id: string): Promise<void> {
  return deps.db.transaction().execute(async (tx) => {
    const found = tx.selectFrom("lead_batches").selectAll().where("id", "=", id).where("owner_id", "=", ownerId);
    const before = await found.executeTakeFirst();
    // Who comes back is held by a slice until it has written the batch, and the end writes whom it has not brought back.
    if (before?.action.type === "exclude" && before.undo_of !== null) await holdLanes(tx, id, before.places.length);
    const batch = await found.forUpdate().executeTakeFirst();
    if (batch === undefined) throw notFound();
    if (batch.status !== "in_progress") return;
    await closeBatch(tx, deps, batch, { status: "cancelled" });
  });
}
