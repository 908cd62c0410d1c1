import { sql, type RawBuilder } from "kysely";
import type { BatchAction } from "../../domain/batch.ts";
import type { Tx } from "../db/index.ts";
import { restoreExcluded } from "../exclusions/exclude.ts";
import { undoMoves } from "../leads/stage-move.ts";
import { holdSendsOfAll, withdrawStepsOfAll } from "../outbox/entry.ts";
import { affected, lockLeads, targetsOf } from "./actions.ts";

/** Some leads that a batch changed, to restore in the caller's transaction. */
export type UndoSlice = {
  batchId: string;
  ownerId: string;
  leadIds: readonly string[];
  /** positions of the first and the last lead in that batch */
  first: number;
  last: number;
  /** when that batch began */
  since: string;
  at: string;
};

/** Selects the slice's leads with what undo needs. */
const undoTargets = (slice: UndoSlice) =>
  sql`select t.lead_id, t.undo from lead_batch_targets t where ${targetsOf(slice)} and t.undo is not null`;

/** False if the deletion of its stage moved lead `l`, and the lead has moved again since. */
const IS_SAME_ENTRY = sql`(k.undo ->> 'held_from' is null or (k.undo ->> 'epoch')::int = l.stage_entry_epoch)`;

/**
 * Undoes an action on a slice of leads in every field, and deletes its events from their stories. Skips leads in which a user or a message
 * has since changed what the action changed.
 * @returns the number of restored leads
 */
export async function undoSlice(tx: Tx, slice: UndoSlice, type: BatchAction["type"]): Promise<number> {
  if (type === "exclude") {
    const which = sql<boolean>`e.batch_id = ${slice.batchId}::uuid and e.lead_id = any(${slice.leadIds}::uuid[])`;
    return (await restoreExcluded(tx, { ...slice, which })).length;
  }
  await holdSendsOfAll(tx, slice);
  if (type === "move") return undoMoves(tx, slice);
  await sql`select count(*) from (${lockLeads(slice)}) l`.execute(tx);
  switch (type) {
    case "tag":
      return affected(
        tx,
        // By all ids at once: with a join, the plan may read all of the owner's tagged leads for each lead.
        sql`with k as (${undoTargets(slice)}), gone as (
          delete from lead_tags d where d.owner_id = ${slice.ownerId}::uuid
            and d.id = any(array(select a.id::bigint from k cross join lateral jsonb_array_elements_text(k.undo -> 'added') a(id)))
          returning d.lead_id
        ) ${forget(sql`k.lead_id in (select lead_id from gone)`)}`,
      );
    case "untag":
      return affected(
        tx,
        sql`with k as (${undoTargets(slice)}), back as (
          insert into lead_tags (id, owner_id, tag_id, lead_id) overriding system value
          select (r.row ->> 'id')::bigint, ${slice.ownerId}::uuid, g.id, l.id from k
            cross join lateral jsonb_array_elements(k.undo -> 'removed') r(row)
            join tags g on g.id = (r.row ->> 'tag_id')::uuid join leads l on l.id = k.lead_id
          on conflict do nothing returning lead_id
        ) ${forget(sql`k.lead_id in (select lead_id from back)`)}`,
      );
    case "hold":
      return affected(
        tx,
        sql`with k as (${undoTargets(slice)}), back as (
          update leads l set held_at = (k.undo ->> 'held_at')::timestamptz, held_until = (k.undo ->> 'held_until')::timestamptz,
            held_from = (k.undo ->> 'held_from')::uuid,
            followup_order_sent = coalesce((k.undo ->> 'followup_order_sent')::int, l.followup_order_sent)
          from k where l.id = k.lead_id and l.held_at = (k.undo ->> 'at')::timestamptz
            and l.held_until is not distinct from (k.undo ->> 'until')::timestamptz
            -- Deleting a stage keeps held_at of an open-ended hold, so held_at alone does not show the deletion.
            and l.held_from is null and ${IS_SAME_ENTRY}
          returning l.id
        ) ${forget(sql`k.lead_id in (select id from back)`)}`,
      );
    default:
      return unresume(tx, slice);
  }
}

/** Deletes the action's events from the leads' stories. */
const forget = (of: RawBuilder<unknown>) =>
  sql`delete from lead_events e using k where e.id = (k.undo ->> 'event')::bigint and ${of} returning e.lead_id`;

/**
 * Undoes a resume: holds the lead or opts it out again, and withdraws sends planned since. A lead of a deleted stage that has moved since
 * is only opted out again.
 */
async function unresume(tx: Tx, slice: UndoSlice): Promise<number> {
  // Webhooks have already sent events about these opt-outs.
  await sql`select set_config('leadloom.taken_back', 'on', true)`.execute(tx);
  const held = (field: string) => sql`case when ${IS_SAME_ENTRY} then k.undo ->> ${sql.lit(field)} end`;
  const { rows } = await sql<{ id: string }>`with k as (${undoTargets(slice)})
    update leads l set held_at = (${held("held_at")})::timestamptz, held_until = (${held("held_until")})::timestamptz,
      held_from = (${held("held_from")})::uuid, opted_out_at = (k.undo ->> 'opted_out_at')::timestamptz,
      followup_order_sent = coalesce((${held("followup_order_sent")})::int, l.followup_order_sent)
    from k where l.id = k.lead_id and l.held_at is null and l.opted_out_at is null
      and (${IS_SAME_ENTRY} or k.undo ->> 'opted_out_at' is not null) returning l.id`.execute(tx);
  const leadIds = rows.map(({ id }) => id);
  await withdrawStepsOfAll(tx, { ...slice, leadIds });
  await sql`with k as (${undoTargets(slice)}) ${forget(sql`k.lead_id = any(${leadIds}::uuid[])`)}`.execute(tx);
  return leadIds.length;
}
