import { sql } from "kysely";
import { UNDO_MS } from "../../domain/limits.ts";
import type { Deps } from "../core/deps.ts";
import { enforceQuota } from "../owned-data/quota.ts";
import type { Db, Tx } from "../db/index.ts";
import { lockSteps, readFollowup, type FollowupRow } from "./repository.ts";

/** Whatever was deleted since then can be restored. */
const undoableSince = (now: number): string => new Date(now - UNDO_MS).toISOString();

/**
 * Deletes a step; it can be restored for a minute. Its place stays empty, so no lead has to be updated. Later steps are renumbered only
 * where they are shown.
 * @throws ProblemError 404
 */
export function deleteFollowup(db: Db, ownerId: string, id: string, at: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockSteps(tx, ownerId);
    await readFollowup(tx, ownerId, id);
    await sql`
      insert into deleted_followups (id, owner_id, stage_id, media_id, step, deleted_at)
      select f.id, f.owner_id, f.stage_id, f.media_id, to_jsonb(f), ${at}::timestamptz from followups f
      where f.id = ${id}::uuid and f.owner_id = ${ownerId}::uuid`.execute(tx);
    await tx.deleteFrom("followups").where("id", "=", id).execute();
  });
}

/**
 * Restores a step deleted within the last minute, with every field and at its old place, so leads that had passed it stay past it. Without
 * its stage it becomes unassigned. A step that is not deleted stays as it is.
 * @throws ProblemError 404 after the minute, 409 when the limit of steps is reached
 */
export function restoreFollowup(db: Db, ownerId: string, id: string, now: number): Promise<FollowupRow> {
  return db.transaction().execute(async (tx) => {
    await lockSteps(tx, ownerId);
    if (await isDeleted(tx, ownerId, id, now)) await enforceQuota(tx, "followups", ownerId);
    await sql`
      with kept as (
        delete from deleted_followups where id = ${id}::uuid and owner_id = ${ownerId}::uuid
          and deleted_at >= ${undoableSince(now)}::timestamptz
        returning step || jsonb_build_object('stage_id', stage_id, 'media_id', media_id) as step
      )
      insert into followups select f.* from kept, jsonb_populate_record(null::followups, kept.step) f`.execute(tx);
    return readFollowup(tx, ownerId, id);
  });
}

const isDeleted = async (tx: Tx, ownerId: string, id: string, now: number): Promise<boolean> =>
  (await tx
    .selectFrom("deleted_followups")
    .select("id")
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("deleted_at", ">=", undoableSince(now))
    .executeTakeFirst()) !== undefined;

/** Erases steps that can no longer be restored. @returns how many */
export async function eraseDeletedFollowups({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  const erased = await db
    .deleteFrom("deleted_followups")
    .where("deleted_at", "<", undoableSince(clock.now()))
    .executeTakeFirst();
  return Number(erased.numDeletedRows);
}
