import { sql } from "kysely";
import { FOLLOWUPS_MAX, REMINDERS_MAX, SNIPPETS_MAX, STAGES_MAX, TAGS_MAX } from "../../domain/limits.ts";
import { FIELDS_MAX } from "../../domain/field.ts";
import { VIEWS_MAX } from "../../domain/view.ts";
import type { Tx } from "../db/index.ts";
import { refuse } from "../core/problem.ts";

/** The quota of each table, and whether deleted rows stay for a minute, marked as deleted. */
const KINDS = {
  stages: { most: STAGES_MAX, staysDeleted: false },
  followups: { most: FOLLOWUPS_MAX, staysDeleted: false },
  reminders: { most: REMINDERS_MAX, staysDeleted: true },
  snippets: { most: SNIPPETS_MAX, staysDeleted: false },
  tags: { most: TAGS_MAX, staysDeleted: true },
  fields: { most: FIELDS_MAX, staysDeleted: true },
  views: { most: VIEWS_MAX, staysDeleted: true },
} as const;

export const quotaOf = (table: keyof typeof KINDS): number => KINDS[table].most;

/**
 * Checks that an owner may add or restore one more row. Locks the owner's quota until the transaction ends.
 * @throws ProblemError 409 when the quota is used up
 */
export async function enforceQuota(tx: Tx, table: keyof typeof KINDS, ownerId: string): Promise<void> {
  const { most, staysDeleted } = KINDS[table];
  await sql`select pg_advisory_xact_lock(hashtext(${table}), hashtext(${ownerId}))`.execute(tx);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}
    where owner_id = ${ownerId}::uuid ${staysDeleted ? sql`and deleted_at is null` : sql``}`.execute(tx);
  if ((rows[0]?.n ?? 0) < most) return;
  throw table === "tags"
    ? refuse(409, "too_many_tags", { reason: "one", limit: most })
    : refuse(409, `too_many_${table}`, { limit: most });
}
