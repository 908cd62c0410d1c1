import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../db/index.ts";
import { notFound } from "../core/problem.ts";

/** The user's own hold from before the lead's stage was deleted, as stored in the history of the deletion; null if there was none. */
export const ownHold = (lead: string, field: "held_at" | "held_until"): RawBuilder<string | null> =>
  sql`case when ${sql.ref(`${lead}.held_from`)} is null then ${sql.ref(`${lead}.${field}`)} else (
    select (undo ->> ${sql.lit(`own_${field}`)})::timestamptz from stage_history
    where lead_id = ${sql.ref(`${lead}.id`)} and reason = 'stage_deleted' and from_stage_id = ${sql.ref(`${lead}.held_from`)}
    order by id desc limit 1 offset 0) end`;

/** The values that restoring a deleted stage gives back to its leads. @param lead the alias of the row before the deletion */
export const beforeStageDeletion = (lead: string): RawBuilder<unknown> => {
  const b = sql.id(lead);
  return sql`jsonb_build_object('followup_order_sent', ${b}.followup_order_sent, 'last_followup_sent_at', ${b}.last_followup_sent_at,
    'stage_entered_at', ${b}.stage_entered_at, 'held_at', ${b}.held_at, 'held_until', ${b}.held_until, 'held_from', ${b}.held_from,
    'own_held_at', ${ownHold(lead, "held_at")}, 'own_held_until', ${ownHold(lead, "held_until")})`;
};

/**
 * Locks an owner's lead against changes and deletion until the transaction ends.
 * @throws ProblemError 404 if it does not exist or belongs to another owner
 */
export async function lockLead(
  tx: Tx,
  { ownerId, leadId }: { ownerId: string; leadId: string },
): Promise<{ notes: string | null; draft: string | null }> {
  const lead = await tx
    .selectFrom("leads")
    .select(["notes", "draft"])
    .where("id", "=", leadId)
    .where("owner_id", "=", ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (lead === undefined) throw notFound();
  return lead;
}
