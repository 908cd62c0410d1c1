import type { ChatImport, ChatImportRequest } from "../../domain/chat-import.ts";
import { reasonFields } from "../core/languages.ts";
import { audit } from "../core/audit.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuse } from "../core/problem.ts";
import { withIdempotencyKey, type KeyedRequest } from "../core/request-keys.ts";
import { isUniqueViolation, type DbOrTx, type Tx } from "../db/index.ts";

const DAY_MS = 86_400_000;

const latest = (db: DbOrTx, ownerId: string) =>
  db
    .selectFrom("chat_imports")
    .select([
      "id",
      "status",
      "scanned",
      "found",
      "days",
      "include_contacts",
      "paused_until",
      "reason",
      "created_at",
      "finished_at",
    ])
    .where("owner_id", "=", ownerId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();

/** Returns the owner's latest import. @throws ProblemError 404 if there is none */
export async function readImport(db: DbOrTx, ownerId: string): Promise<ChatImport> {
  const row = await latest(db, ownerId);
  if (row === undefined) throw notFound();
  return { ...row, ...reasonFields("reason", row.reason) };
}

/**
 * Starts an import of existing chats, once per idempotency key; the worker that holds the account runs it.
 * @throws ProblemError 409 while one runs, or without an account
 */
export async function startImport(deps: Deps, body: ChatImportRequest, request: KeyedRequest): Promise<ChatImport> {
  try {
    return await deps.db
      .transaction()
      .execute((tx) => withIdempotencyKey(tx, request, () => insertImport(tx, deps, body, request)));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw refuse(409, "import_running");
  }
}

async function insertImport(
  tx: Tx,
  deps: Deps,
  body: ChatImportRequest,
  { ownerId, at }: KeyedRequest,
): Promise<ChatImport> {
  const account = await tx
    .selectFrom("telegram_sessions")
    .select("telegram_user_id")
    .where("user_id", "=", ownerId)
    .where("state", "=", "connected")
    .executeTakeFirst();
  if (account === undefined) throw refuse(409, "not_connected", { reason: "import" });
  await tx
    .insertInto("chat_imports")
    .values({
      owner_id: ownerId,
      days: body.days,
      include_contacts: body.include_contacts,
      since: new Date(deps.clock.now() - body.days * DAY_MS).toISOString(),
      account_user_id: account.telegram_user_id,
      created_at: at,
    })
    .execute();
  await audit(tx, { userId: ownerId, action: "chats_imported", at, detail: { days: body.days } });
  await deps.bus.publish("import.requested", { owner_id: ownerId }, tx);
  return readImport(tx, ownerId);
}

/** Cancels a running import; the leads that it found stay. @throws ProblemError 404 if there never was one */
export async function cancelImport(deps: Deps, ownerId: string): Promise<ChatImport> {
  await deps.db
    .updateTable("chat_imports")
    .set({ status: "cancelled", finished_at: deps.clock.iso(), paused_until: null })
    .where("owner_id", "=", ownerId)
    .where("status", "=", "in_progress")
    .execute();
  await deps.bus.publish("import.requested", { owner_id: ownerId });
  return readImport(deps.db, ownerId);
}
