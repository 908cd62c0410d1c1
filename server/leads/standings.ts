import { sql, type RawBuilder } from "kysely";
import type { LeadFilter } from "../../domain/lead-filter.ts";

/** An owner's number of leads by stage, opt-out and reachability, as SQL, from counts that every write to a lead maintains. */
export function standingTotal(
  ownerId: string,
  { stage_id: stageId, opted_out: isOptedOut, unreachable: isUnreachable }: LeadFilter,
): RawBuilder<number> {
  const where = [
    sql`owner_id = ${ownerId}::uuid`,
    ...(stageId ? [sql`stage_id = ${stageId}::uuid`] : []),
    ...(isOptedOut === undefined ? [] : [sql`is_opted_out = ${isOptedOut}`]),
    ...(isUnreachable === undefined ? [] : [sql`is_unreachable = ${isUnreachable}`]),
  ];
  const from = (table: "lead_standings" | "lead_standing_changes") =>
    sql`select total from ${sql.table(table)} where ${sql.join(where, sql` and `)}`;
  return sql<number>`select coalesce(sum(s.total), 0)::int from (
    ${from("lead_standings")} union all ${from("lead_standing_changes")}
  ) s`;
}
