import { sql, type RawBuilder } from "kysely";

/** The hold of the user's own that a lead had before its stage was deleted, as the deletion's row of the history keeps it; null without one. */
export const ownHold = (lead: string, field: "held_at" | "held_until"): RawBuilder<string | null> =>
  sql`case when ${sql.ref(`${lead}.held_from`)} is null then ${sql.ref(`${lead}.${field}`)} else (
    select (undo ->> ${sql.lit(`own_${field}`)})::timestamptz from stage_history
    where lead_id = ${sql.ref(`${lead}.id`)} and reason = 'stage_deleted' and from_stage_id = ${sql.ref(`${lead}.held_from`)}
    order by id desc limit 1 offset 0) end`;
