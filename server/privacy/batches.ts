import { sql, type RawBuilder } from "kysely";
import { nextTurn } from "../core/clock.ts";
import type { Db } from "../db/index.ts";

/** A table with a user's rows, and how many are erased per transaction: a fraction of a second on the embedded database. */
export type Part = { table: string; of: "owner_id" | "user_id" | "account_id"; rows: number };

/** What is stored about a user's leads and their messages. Dependent rows are deleted by cascade. */
export const LEAD_TABLES: readonly Part[] = [
  { table: "lead_tags", of: "owner_id", rows: 5_000 },
  { table: "lead_fields", of: "owner_id", rows: 5_000 },
  { table: "leads", of: "owner_id", rows: 1_000 },
  { table: "lead_batch_targets", of: "owner_id", rows: 5_000 },
  { table: "lead_import_rows", of: "owner_id", rows: 5_000 },
  { table: "lead_batches", of: "owner_id", rows: 1_000 },
  { table: "exclusions", of: "owner_id", rows: 1_000 },
  { table: "messages", of: "owner_id", rows: 2_000 },
  { table: "webhook_deliveries", of: "owner_id", rows: 5_000 },
  { table: "webhook_events", of: "owner_id", rows: 2_000 },
  { table: "outbox", of: "owner_id", rows: 2_000 },
  { table: "ledger", of: "owner_id", rows: 5_000 },
  { table: "stage_history", of: "owner_id", rows: 5_000 },
  { table: "lead_events", of: "owner_id", rows: 5_000 },
  { table: "file_parts", of: "owner_id", rows: 100 },
  { table: "request_keys", of: "owner_id", rows: 2_000 },
  { table: "chat_imports", of: "owner_id", rows: 1_000 },
  { table: "deleted_followups", of: "owner_id", rows: 10 },
  { table: "telegram_peers", of: "account_id", rows: 5_000 },
  { table: "telegram_peer_references", of: "account_id", rows: 5_000 },
];

/** The user's other large tables, too large for one statement with the account. Each file has up to 10 MB. */
export const ACCOUNT_TABLES: readonly Part[] = [
  ...LEAD_TABLES,
  { table: "media", of: "owner_id", rows: 10 },
  { table: "bulk_jobs", of: "owner_id", rows: 1_000 },
];

/** Small tables, deleted by cascade with the account. */
export const CASCADED_TABLES: readonly string[] = [
  "access_ends",
  "account_imports",
  "api_keys",
  "billing_checkouts",
  "billing_customers",
  "fields",
  "followups",
  "lead_standing_changes",
  "lead_standings",
  "lead_totals",
  "reminders",
  "send_pace",
  "snippets",
  "stage_removals",
  "stage_rules",
  "stages",
  "subscriptions",
  "tags",
  "telegram_login_attempts",
  "telegram_sessions",
  "user_settings",
  "users",
  "value_totals",
  "views",
  "webhooks",
];

/**
 * Erases a user's rows part by part, one transaction per batch, so that other requests run in between. Another process resumes what a
 * stopped one left.
 * @param canContinue selects and locks a row while this process may continue: no other process is erasing, and the reason still holds
 * @param isOver returns true when no further batch may begin
 * @returns whether everything is erased
 */
export async function eraseParts(
  db: Db,
  {
    userId,
    parts,
    canContinue,
    isOver = () => false,
  }: { userId: string; parts: readonly Part[]; canContinue: RawBuilder<unknown>; isOver?: () => boolean },
): Promise<boolean> {
  for (const part of parts) {
    for (let erased = 1; erased > 0;) {
      const count = await db.transaction().execute(async (tx) => {
        const { rows } = await canContinue.execute(tx);
        if (rows.length === 0) return null;
        const { numAffectedRows } = await sql`delete from ${sql.table(part.table)} where ctid = any(array(
          select ctid from ${sql.table(part.table)} where ${rowsOf(part, userId)} limit ${part.rows}))`.execute(tx);
        return Number(numAffectedRows ?? 0);
      });
      if (count === null || (count > 0 && isOver())) return false;
      erased = count;
      await nextTurn();
    }
  }
  return true;
}

const rowsOf = ({ of }: Part, userId: string): RawBuilder<unknown> =>
  of === "account_id"
    ? sql`account_id in (select id from telegram_sessions where user_id = ${userId}::uuid)`
    : sql`${sql.ref(of)} = ${userId}::uuid`;
