import { sql } from "kysely";
import type { AccountImport } from "../../domain/archive.ts";
import { INITIAL_STAGE } from "../../domain/stage.ts";
import { audit } from "../core/audit.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse } from "../core/problem.ts";
import { reasonFields } from "../core/languages.ts";
import { isUniqueViolation, type Db, type DbOrTx, type Tx } from "../db/index.ts";

/** An import counts as abandoned when its process gives no sign for this long. */
export const SILENT_SECONDS = 90;

const running = () => refuse(409, "account_importing");

/** Returns the owner's latest import. @throws ProblemError 404 if there is none */
export async function readImport(db: DbOrTx, ownerId: string): Promise<AccountImport> {
  const row = await db
    .selectFrom("account_imports")
    .select(["id", "status", "total", "done", "is_removing", "brought", "reason", "created_at", "finished_at"])
    .where("owner_id", "=", ownerId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return { ...row, ...reasonFields("reason", row.reason) };
}

/** Refuses changes to an account during an import, because they would be lost if the import failed. */
export const createImportGuard =
  ({ db }: { db: Db }) =>
  async (ownerId: string): Promise<void> => {
    const row = await db
      .selectFrom("account_imports")
      .select("id")
      .where("owner_id", "=", ownerId)
      .where("status", "=", "in_progress")
      .executeTakeFirst();
    if (row !== undefined) throw running();
  };

/**
 * Starts an import.
 * @param total number of rows and files to import
 * @throws ProblemError 409 unless the account is empty, not connected to Telegram and has no running import
 */
export async function startImport(
  { db, clock }: Pick<Deps, "db" | "clock">,
  ownerId: string,
  total: number,
): Promise<AccountImport> {
  try {
    return await db.transaction().execute(async (tx) => {
      const at = clock.iso();
      await tx.insertInto("account_imports").values({ owner_id: ownerId, total, created_at: at }).execute();
      await requireDisconnected(tx, ownerId, at);
      await requireEmptyAccount(tx, ownerId);
      await audit(tx, { userId: ownerId, action: "data_imported", at, detail: { rows: total } });
      return readImport(tx, ownerId);
    });
  } catch (error) {
    throw isUniqueViolation(error) ? running() : error;
  }
}

/** Requires that Telegram is not connected or connecting, since new messages would mix with the import. @throws ProblemError 409 */
export async function requireDisconnected(db: DbOrTx, ownerId: string, at: string): Promise<void> {
  const { rows } = await sql<{ connected: boolean; connecting: boolean }>`
    select exists (select from telegram_sessions where user_id = ${ownerId}::uuid and state = 'connected') as connected,
      exists (select from telegram_login_attempts where user_id = ${ownerId}::uuid and expires_at > ${at}::timestamptz) as connecting`.execute(
    db,
  );
  if (rows[0]?.connected) throw refuse(409, "telegram_connected", { reason: "connected" });
  if (rows[0]?.connecting) throw refuse(409, "telegram_connected", { reason: "connecting" });
}

const KINDS = [
  ["leads", "leads"],
  ["messages", "messages"],
  ["followups", "followups"],
  ["tags", "tags"],
  ["fields", "fields"],
  ["views", "views"],
  ["snippets", "snippets"],
  ["reminders", "reminders"],
  ["excluded_people", "exclusions"],
  ["bulk_messages", "bulk_jobs"],
  ["sent_messages", "outbox"],
  ["lines_of_history", "ledger"],
  ["files", "media"],
] as const;

/** Requires an unused account. @throws ProblemError 409 that lists what it contains */
export async function requireEmptyAccount(tx: Tx | Db, ownerId: string): Promise<void> {
  const counts = KINDS.map(
    ([kind, table]) =>
      sql`select ${kind}::text as kind, count(*)::int as n from (select from ${sql.table(table)} where owner_id = ${ownerId}::uuid limit 1000) t`,
  );
  const stages = sql`select 'stages', count(*)::int from stages where owner_id = ${ownerId}::uuid
    and (name, keywords, color, "order") is distinct from (${INITIAL_STAGE.name}::text, ${[...INITIAL_STAGE.keywords]}::text[], ${INITIAL_STAGE.color}::text, ${INITIAL_STAGE.order}::int)`;
  const { rows } = await sql<{
    kind: (typeof KINDS)[number][0] | "stages";
    n: number;
  }>`select * from (${sql.join([...counts, stages], sql` union all `)}) c where n > 0`.execute(tx);
  if (rows.length === 0) return;
  throw refuse(409, "account_not_empty", { found: rows });
}
