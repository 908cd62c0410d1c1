import type { DbOrTx } from "../db/index.ts";

export type AuditAction =
  | "sign_in"
  | "sign_in_refused"
  | "sign_up"
  | "password_changed"
  | "telegram_code_requested"
  | "telegram_connected"
  | "telegram_disconnected"
  | "telegram_session_lost"
  | "key_created"
  | "key_revoked"
  | "bulk_created"
  | "chats_imported"
  | "bulk_cancelled"
  | "bulk_continued"
  | "bulk_finished"
  | "stage_deleted"
  | "stage_restored"
  | "webhook_disabled"
  | "plan_changed"
  | "access_refused"
  | "data_exported"
  | "data_imported"
  | "people_erased"
  | "account_deleted";

/** Adds one line to the append-only audit log. `detail` holds ids and counts, never message text or secrets. */
export async function audit(
  db: DbOrTx,
  entry: { userId: string | null; action: AuditAction; at: string; detail?: Record<string, unknown> },
): Promise<void> {
  await db
    .insertInto("audit_log")
    .values({ user_id: entry.userId, action: entry.action, at: entry.at, detail: JSON.stringify(entry.detail ?? {}) })
    .execute();
}
