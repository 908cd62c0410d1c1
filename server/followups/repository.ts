import { sql } from "kysely";
import type { FollowupCreate, FollowupPatch } from "../../domain/followup.ts";
import { CAPTION_MAX_CHARS, DELAY_DEFAULT_HOURS } from "../../domain/limits.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse, refuseInput } from "../core/problem.ts";
import { withIdempotencyKey, type KeyedRequest } from "../core/request-keys.ts";
import { enforceQuota } from "../owned-data/quota.ts";
import { orderOf } from "../lead-rows/step-places.ts";
import type { DbOrTx, Tx } from "../db/index.ts";
import type { Versions } from "../core/versions.ts";
import { storeMedia, type CheckedFile } from "../media/store.ts";

export type FollowupRow = {
  id: string;
  stage_id: string | null;
  message: string;
  followup_order: number;
  delay_hours: number;
  media_id: string | null;
  extension: string | null;
};

const select = (db: DbOrTx, ownerId: string) =>
  db
    .selectFrom("followups as f")
    .leftJoin("media as m", "m.id", "f.media_id")
    .select(["f.id", "f.stage_id", "f.message", orderOf("f").as("followup_order")])
    .select(["f.delay_hours", "f.media_id", "m.extension"])
    .where("f.owner_id", "=", ownerId);

/** Returns an owner's steps, ordered within each stage. */
export const listFollowups = (db: DbOrTx, ownerId: string): Promise<FollowupRow[]> =>
  select(db, ownerId)
    .orderBy("f.stage_id")
    .orderBy("f.followup_order")
    .orderBy("f.created_at")
    .orderBy("f.id")
    .execute();

/** Returns a step. @throws ProblemError 404 when the owner has no such step */
export const readFollowup = async (tx: Tx, ownerId: string, id: string): Promise<FollowupRow> => {
  const row = await select(tx, ownerId).where("f.id", "=", id).executeTakeFirst();
  if (row === undefined) throw notFound();
  return row;
};

/** Locks the owner's steps: they are numbered 0 to n-1 in each stage, so only one change may run at a time. */
export const lockSteps = (tx: Tx, ownerId: string) =>
  sql`select pg_advisory_xact_lock(hashtext('followups'), hashtext(${ownerId}))`.execute(tx);

async function requireStage(tx: Tx, ownerId: string, stageId: string | null): Promise<void> {
  if (stageId === null) return;
  const stage = await tx
    .selectFrom("stages")
    .select("id")
    .where("id", "=", stageId)
    .where("owner_id", "=", ownerId)
    .forKeyShare()
    .executeTakeFirst();
  if (stage === undefined) throw refuseInput("stage_id", "stage_gone", null, "Unknown stage.");
}

/** Returns the place at the end of the stage. @throws ProblemError 409 when the wanted number is taken */
async function placeFor(tx: Tx, ownerId: string, stageId: string | null, wanted: number | undefined): Promise<number> {
  const { rows } = await sql<{ total: number; last: number; given: number }>`
    select count(*)::int as total, coalesce(max(followup_order), -1) as last,
      coalesce((select step_places from stages where id = ${stageId}::uuid), 0) as given
    from followups where owner_id = ${ownerId}::uuid and stage_id is not distinct from ${stageId}::uuid`.execute(tx);
  const { total = 0, last = -1, given = 0 } = rows[0] ?? {};
  if (wanted === undefined || wanted >= total) return Math.max(last + 1, given);
  throw refuse(409, "duplicate_order");
}

/** Returns whether a step is the last one of its stage. */
const isLast = async (tx: Tx, ownerId: string, { stage_id: stageId, followup_order: order }: FollowupRow) =>
  (await listFollowups(tx, ownerId)).every((step) => step.stage_id !== stageId || step.followup_order <= order);

/** Requires a text or media, and a text within Telegram's limit, which is lower with a picture or video. */
function checkContent(message: string, hasMedia: boolean): void {
  if (message.trim() === "" && !hasMedia) throw refuseInput("message", "followup_empty", null, "Empty.");
  if (hasMedia && message.length > CAPTION_MAX_CHARS) {
    throw refuseInput("message", "bulk_caption_too_long", { limit: CAPTION_MAX_CHARS }, "Too long.");
  }
}

/**
 * Adds a step, by default at the end of its stage, once per idempotency key.
 * @throws ProblemError 409 when the place is taken or the limit is reached; 422 for an unknown stage or an empty message
 */
export function addFollowup(
  deps: Pick<Deps, "db" | "config" | "clock">,
  input: FollowupCreate & { file: CheckedFile | null },
  request: KeyedRequest,
  versions: Versions<FollowupRow[]>,
): Promise<FollowupRow> {
  const { ownerId } = request;
  const stageId = input.stage_id || null;
  checkContent(input.message, input.file !== null);
  const insert = async (tx: Tx): Promise<{ id: string }> => {
    await enforceQuota(tx, "followups", ownerId);
    await lockSteps(tx, ownerId);
    await versions.require(() => listFollowups(tx, ownerId));
    await requireStage(tx, ownerId, stageId);
    return tx
      .insertInto("followups")
      .values({
        owner_id: ownerId,
        stage_id: stageId,
        message: input.message,
        followup_order: await placeFor(tx, ownerId, stageId, input.followup_order),
        delay_hours: input.delay_hours,
        media_id: await storeMedia(tx, deps, ownerId, input.file),
        created_at: request.at,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
  };
  return deps.db.transaction().execute(async (tx) => {
    const { id } = await withIdempotencyKey(tx, request, () => insert(tx));
    versions.setETag(await listFollowups(tx, ownerId));
    return readFollowup(tx, ownerId, id);
  });
}

/**
 * Changes a step's text, delay, place or stage. At a new place it counts as new: leads for which it is overdue wait for confirmation.
 * @throws ProblemError 404, 409 when the place is taken or the step was changed in the meantime, 422
 */
export function changeFollowup(
  { db, clock }: Pick<Deps, "db" | "clock">,
  { ownerId, id }: { ownerId: string; id: string },
  patch: FollowupPatch,
  versions: Versions<FollowupRow[]>,
): Promise<FollowupRow> {
  return db.transaction().execute(async (tx) => {
    await lockSteps(tx, ownerId);
    await versions.require(() => listFollowups(tx, ownerId));
    const before = await readFollowup(tx, ownerId, id);
    const { message = before.message, delay_hours: delayHours, followup_order: order, stage_id: toStage } = patch;
    checkContent(message, before.media_id !== null);
    await tx
      .updateTable("followups")
      .set({ message, ...(delayHours === undefined ? {} : { delay_hours: delayHours ?? DELAY_DEFAULT_HOURS }) })
      .where("id", "=", id)
      .execute();
    const stageId = toStage === undefined ? before.stage_id : toStage;
    const isNewStage = stageId !== before.stage_id;
    if (isNewStage) await requireStage(tx, ownerId, stageId);
    // At a new place, the step would block leads that already received it: they would never get later steps.
    const staysLast = order !== undefined && order > before.followup_order && (await isLast(tx, ownerId, before));
    if (isNewStage || (order !== undefined && order !== before.followup_order && !staysLast)) {
      const place = await placeFor(tx, ownerId, stageId, order);
      await tx
        .updateTable("followups")
        .set({ stage_id: stageId, followup_order: place, created_at: clock.iso() })
        .where("id", "=", id)
        .execute();
    }
    versions.setETag(await listFollowups(tx, ownerId));
    return readFollowup(tx, ownerId, id);
  });
}
