import { sql, type RawBuilder } from "kysely";
import type { BatchAction } from "../../domain/batch.ts";
import type { Tx } from "../db/index.ts";
import { restoreExcluded } from "../exclusions/exclude.ts";
import { undoMoves } from "../leads/stage-move.ts";
import { holdSendsOfAll, withdrawStepsOfAll } from "../outbox/entry.ts";
import { affected, lockLeads, targetsOf } from "./actions.ts";

/** Some leads that a batch has changed, to be put back in the caller's transaction. */
export type UndoSlice = {
  /** the batch that is taken back */
  batchId: string;
  ownerId: string;
  leadIds: readonly string[];
  /** where the first and the last of them stand in that batch */
  first: number;
  last: number;
  /** when that batch began */
  since: string;
  at: string;
};

/** The slice's leads with what was written down of them. */
const undoTargets = (slice: UndoSlice) =>
  sql`select t.lead_id, t.undo from lead_batch_targets t where ${targetsOf(slice)} and t.undo is not null`;

/**
 * Takes an action back for a slice of leads, to the last field, and its line in their stories. A lead that a person or a message has
 * changed meanwhile in what the action was about stays as it is.
 * @returns how many were put back
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
        // By all their numbers at once: joined, each lead may have all of the owner's tagged leads read.
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
            held_from = (k.undo ->> 'held_from')::uuid
          from k where l.id = k.lead_id and l.held_at = (k.undo ->> 'at')::timestamptz
            and l.held_until is not distinct from (k.undo ->> 'until')::timestamptz
          returning l.id
        ) ${forget(sql`k.lead_id in (select id from back)`)}`,
      );
    default:
      return unresume(tx, slice);
  }
}

/** The lines of stories that the action wrote. */
const forget = (of: RawBuilder<unknown>) =>
  sql`delete from lead_events e using k where e.id = (k.undo ->> 'event')::bigint and ${of} returning e.lead_id`;

/** What was planned since is withdrawn: the lead is held again, or wants no messages. */
async function unresume(tx: Tx, slice: UndoSlice): Promise<number> {
  // Programs were told of these opt-outs at their time.
  await sql`select set_config('leadloom.taken_back', 'on', true)`.execute(tx);
  const { rows } = await sql<{ id: string }>`with k as (${undoTargets(slice)})
    update leads l set held_at = (k.undo ->> 'held_at')::timestamptz, held_until = (k.undo ->> 'held_until')::timestamptz,
      held_from = (k.undo ->> 'held_from')::uuid, opted_out_at = (k.undo ->> 'opted_out_at')::timestamptz,
      followup_order_sent = coalesce((k.undo ->> 'followup_order_sent')::int, l.followup_order_sent)
    from k where l.id = k.lead_id and l.held_at is null and l.opted_out_at is null returning l.id`.execute(tx);
  const leadIds = rows.map(({ id }) => id);
  await withdrawStepsOfAll(tx, { ...slice, leadIds });
  await sql`with k as (${undoTargets(slice)}) ${forget(sql`k.lead_id = any(${leadIds}::uuid[])`)}`.execute(tx);
  return leadIds.length;
}
