import { sql } from "kysely";
import { UNDO_MS } from "../../domain/limits.ts";
import type { Deps } from "../core/deps.ts";
import type { Db, Tx } from "../db/index.ts";
import { closeGap, inStage, lastRank, lockLeads, lockSteps, readFollowup, type FollowupRow } from "./repository.ts";

/** What was deleted at this moment or later can be brought back. */
const oldestKept = (now: number): string => new Date(now - UNDO_MS).toISOString();

/** Deletes a step; the later ones move up, and so do the leads that had passed it. For a minute it can be restored. */
export function deleteFollowup(db: Db, ownerId: string, id: string, at: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockSteps(tx, ownerId);
    const before = await readFollowup(tx, ownerId, id);
    await sql`
      insert into deleted_followups (id, owner_id, stage_id, followup_order, rank, media_id, step, passed_leads, passed_epochs, deleted_at)
      select f.id, f.owner_id, f.stage_id, f.followup_order, 1 + ${lastRank(ownerId, before)}, f.media_id, to_jsonb(f), p.leads, p.epochs, ${at}::timestamptz
      from followups f cross join (
        select coalesce(array_agg(l.id), '{}') as leads, coalesce(array_agg(l.stage_entry_epoch), '{}') as epochs from (
          select id, stage_entry_epoch from leads where owner_id = ${ownerId}::uuid and stage_id = ${before.stage_id}::uuid
            and followup_order_sent > ${before.followup_order} order by id for no key update) l) p
      where f.id = ${id}::uuid and f.owner_id = ${ownerId}::uuid`.execute(tx);
    await tx.deleteFrom("followups").where("id", "=", id).execute();
    await closeGap(tx, ownerId, before);
  });
}

/**
 * Brings back a step deleted within the last minute: its row to the last field, its place (the others move back), and the leads
 * that had passed it stay past it. Without its stage it comes back unassigned. One that is not deleted stays as it is.
 * @throws ProblemError 404 after the minute
 */
export function restoreFollowup(db: Db, ownerId: string, id: string, now: number): Promise<FollowupRow> {
  return db.transaction().execute(async (tx) => {
    await lockSteps(tx, ownerId);
    const kept = await tx
      .selectFrom("deleted_followups")
      .select(["id", "rank", "stage_id", "followup_order"])
      .where("id", "=", id)
      .where("owner_id", "=", ownerId)
      .where("deleted_at", ">=", oldestKept(now))
      .executeTakeFirst();
    if (kept !== undefined) {
      const place = await openGap(tx, ownerId, kept);
      if (kept.stage_id !== null) await movePassed(tx, ownerId, { id, stageId: kept.stage_id, place });
      await sql`
        insert into followups select f.* from deleted_followups d, jsonb_populate_record(null::followups, d.step ||
          jsonb_build_object('stage_id', d.stage_id, 'media_id', d.media_id, 'followup_order', ${place}::int)) f
        where d.id = ${id}::uuid`.execute(tx);
      await tx.deleteFrom("deleted_followups").where("id", "=", id).execute();
    }
    return readFollowup(tx, ownerId, id);
  });
}

type Kept = { rank: number; stage_id: string | null; followup_order: number };

/** Moves the steps from the place on, and the places of what was deleted after them. @returns the place */
async function openGap(tx: Tx, ownerId: string, kept: Kept): Promise<number> {
  const { rows } = await sql<{ place: number }>`
    select least(${kept.followup_order}::int, count(*)::int) as place from followups
    where owner_id = ${ownerId}::uuid and ${inStage(kept.stage_id)}`.execute(tx);
  const place = rows[0]?.place ?? 0;
  await sql`update followups set followup_order = followup_order + 1
    where owner_id = ${ownerId}::uuid and ${inStage(kept.stage_id)} and followup_order >= ${place}`.execute(tx);
  await sql`update deleted_followups set followup_order = followup_order + 1
    where owner_id = ${ownerId}::uuid and ${inStage(kept.stage_id)}
      and (followup_order > ${place} or (followup_order = ${place} and rank > ${kept.rank}))`.execute(tx);
  return place;
}

/**
 * Moves the leads' cursors past the step that comes back: of those that are beyond its place, that had passed it in this stage
 * entry, or to whom it went out while it was deleted.
 */
async function movePassed(
  tx: Tx,
  ownerId: string,
  { id, stageId, place }: { id: string; stageId: string; place: number },
): Promise<void> {
  const forward = sql`update leads l set followup_order_sent = l.followup_order_sent + 1`;
  const here = sql`l.owner_id = ${ownerId}::uuid and l.stage_id = ${stageId}::uuid`;
  await lockLeads(tx, ownerId, stageId, place - 1);
  // In this order: what one statement has moved, the next leaves alone.
  await sql`${forward} where ${here} and l.followup_order_sent > ${place}`.execute(tx);
  await sql`${forward} from deleted_followups d, unnest(d.passed_leads, d.passed_epochs) as p(id, epoch)
    where d.id = ${id}::uuid and l.id = p.id and l.stage_entry_epoch = p.epoch and ${here}
      and l.followup_order_sent = ${place}`.execute(tx);
  await sql`${forward} where ${here} and l.followup_order_sent = ${place} and exists (
    select from step_uses o where o.lead_id = l.id and o.epoch = l.stage_entry_epoch and o.followup_id = ${id}::uuid
      and o.state in ('sent', 'unknown'))`.execute(tx);
}

/** Erases the steps that nobody can bring back any more. @returns how many */
export async function eraseDeletedFollowups({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> {
  const erased = await db
    .deleteFrom("deleted_followups")
    .where("deleted_at", "<", oldestKept(clock.now()))
    .executeTakeFirst();
  return Number(erased.numDeletedRows);
}
