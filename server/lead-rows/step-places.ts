import { sql, type RawBuilder } from "kysely";
import type { DbOrTx } from "../db/index.ts";

/*
 * `followups.followup_order` and `leads.followup_order_sent` are places, with gaps where steps were deleted or moved. The API shows step
 * numbers without gaps; these expressions count them.
 */

/** A step's number within its stage, from 0; null for no step. @param step the alias of its row */
export const orderOf = (step: string): RawBuilder<number> => {
  const f = sql.id(step);
  return sql<number>`case when ${f}.id is not null then (select count(*)::int from followups before
    where before.owner_id = ${f}.owner_id and before.stage_id is not distinct from ${f}.stage_id
      and (before.followup_order, before.created_at, before.id) < (${f}.followup_order, ${f}.created_at, ${f}.id)) end`;
};

/** How many steps of its stage a lead has passed. @param lead the alias of its row */
export const stepsPassed = (lead: string): RawBuilder<number> => {
  const l = sql.id(lead);
  return sql<number>`case when ${l}.followup_order_sent = 0 then 0 else coalesce((
    select (select count(*)::int from followups f where f.stage_id = s.id and f.followup_order < ${l}.followup_order_sent)
      + greatest(0, ${l}.followup_order_sent - s.step_places)
    from stages s where s.id = ${l}.stage_id), ${l}.followup_order_sent) end`;
};

/** A condition over table `leads`: leads that have passed this number of steps of their stage. */
export async function havePassed(db: DbOrTx, ownerId: string, steps: number): Promise<RawBuilder<boolean>> {
  // Place and number differ only in stages with gaps.
  const { rows } = await sql<{ stage_id: string; end: number; places: number[] }>`
    select s.id as stage_id, s.step_places as end, array(select followup_order from followups where stage_id = s.id order by 1) as places
    from stages s where s.owner_id = ${ownerId}::uuid and s.step_places > (select count(*) from followups where stage_id = s.id)`.execute(
    db,
  );
  const cursorIs = sql<boolean>`leads.followup_order_sent = ${steps}::int`;
  if (rows.length === 0) return cursorIs;
  const others = sql`(leads.stage_id is null or leads.stage_id <> all(${rows.map((row) => row.stage_id)}::uuid[]))`;
  const within = rows.map(({ stage_id: stageId, end, places }) => {
    const { from, to } = cursorsAt(steps, places, end);
    return sql`leads.stage_id = ${stageId}::uuid and leads.followup_order_sent between ${from}::bigint and ${to}::bigint`;
  });
  return sql<boolean>`((${sql.join([sql`${others} and ${cursorIs}`, ...within], sql`) or (`)}))`;
}

/** Returns the range of places at which this number of steps is passed. */
function cursorsAt(steps: number, places: readonly number[], end: number): { from: number; to: number } {
  const beyond = steps - places.length;
  const from = steps === 0 ? 0 : beyond > 0 ? end + beyond : (places[steps - 1] ?? 0) + 1;
  return { from, to: beyond > 0 ? from : (places[steps] ?? end) };
}

/** True if the next step of lead `l` comes before step `f`. */
export const nextIsBefore = sql<boolean>`exists (
  select from next_followups n join followups b on b.id = n.followup_id where n.lead_id = l.id and b.followup_order < f.followup_order)`;
