import type { DbOrTx } from "../db/index.ts";
import type { Deps } from "./deps.ts";

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

const ONCE_MS = 3_600_000;
const MOST_REMEMBERED = 10_000;

/** Logs that the subscription gate refused a user, at most once an hour per user. */
export function createRefusalLog({
  db,
  clock,
  logger,
  work,
}: Pick<Deps, "db" | "clock" | "logger" | "work">): (userId: string) => void {
  const noted = new Map<string, number>();
  return (userId) => {
    const now = clock.now();
    if (now - (noted.get(userId) ?? Number.NEGATIVE_INFINITY) < ONCE_MS) return;
    if (noted.size >= MOST_REMEMBERED) noted.clear();
    noted.set(userId, now);
    work
      .track("audit", audit(db, { userId, action: "access_refused", at: clock.iso() }))
      .catch((error: unknown) => logger.warn({ err: error }, "a refusal was not written to the audit log"));
  };
}
