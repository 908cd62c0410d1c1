import { sql } from "kysely";
import { storedReason } from "../../domain/stored-reasons.ts";
import { recordAbsence } from "../bulk/away.ts";
import { audit } from "../core/audit.ts";
import { type Bus, publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Db, DbOrTx, Tx } from "../db/index.ts";
import type { TelegramSessionState } from "../db/tables/telegram.ts";

type Shared = Pick<Deps, "db" | "bus" | "clock">;

export const findConnected = (db: DbOrTx, userId: string) =>
  db
    .selectFrom("telegram_sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("state", "=", "connected")
    .executeTakeFirst();

/** Returns the user's newest account, connected or not, for the connect screen. */
export const findLatest = (db: Db, userId: string) =>
  db
    .selectFrom("telegram_sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy(sql`state = 'connected'`, "desc")
    .orderBy("connected_at", "desc")
    .executeTakeFirst();

/** True if Telegram or the end of access ended the account, not the user. */
export const isLost = ({ state }: { state: TelegramSessionState }): boolean => state === "lost" || state === "ended";

/** Notifies workers and the user's browsers that the account changed. */
export async function announce(bus: Bus, accountId: string, userId: string, within?: DbOrTx): Promise<void> {
  await bus.publish("telegram.account", { account_id: accountId, user_id: userId }, within);
  await publishEvent(bus, userId, "telegram.changed", {}, within);
}

/**
 * Marks an account as ended: either Telegram has ended its session (`lost`: the keys are useless and are erased at once), or the worker
 * that holds it will log out and erase the keys (`disconnected`, `ended`). With a fence, only if it is the current one.
 * @returns false when it was not connected, or has another fence by now
 */
export const endSession = (deps: Shared, end: SessionEnd): Promise<boolean> =>
  deps.db.transaction().execute((tx) => endSessionWithin(tx, deps, end));

export type SessionEnd = {
  accountId: string;
  state: "lost" | "disconnected" | "ended";
  reason: string;
  fence?: bigint;
};

/** The same in the caller's transaction. */
export async function endSessionWithin(
  tx: Tx,
  { bus, clock }: Pick<Deps, "bus" | "clock">,
  end: SessionEnd,
): Promise<boolean> {
  const now = clock.iso();
  let update = tx
    .updateTable("telegram_sessions")
    .set({ state: end.state, ended_reason: end.reason, ended_at: now })
    .where("id", "=", end.accountId)
    .where("state", "=", "connected");
  if (end.fence !== undefined) update = update.where("fence", "=", end.fence.toString());
  const row = await update.returning(["id", "user_id"]).executeTakeFirst();
  if (row === undefined) return false;
  if (end.state === "lost") await eraseKeys(tx, end.accountId);
  await audit(tx, {
    userId: row.user_id,
    action: end.state === "lost" ? "telegram_session_lost" : "telegram_disconnected",
    at: now,
    detail: { account_id: end.accountId },
  });
  await recordAbsence(tx, row.user_id, now);
  await announce(bus, row.id, row.user_id, tx);
  return true;
}

/** Serializes the user's logins until the transaction ends: two concurrent ones would both replace the same account. */
export const lockLogins = (tx: Tx, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtext('telegram'), hashtext(${userId}))`.execute(tx);

/**
 * Ends the user's connected account, so that a worker logs it out. Waits for a login that is being stored.
 * @returns the account's id, null if none was connected
 */
export const endConnected = (deps: Shared, userId: string): Promise<string | null> =>
  deps.db.transaction().execute(async (tx) => {
    await lockLogins(tx, userId);
    const account = await findConnected(tx, userId);
    if (account === undefined) return null;
    const reason = storedReason("session_disconnected");
    await endSessionWithin(tx, deps, { accountId: account.id, state: "disconnected", reason });
    return account.id;
  });

/**
 * Erases an account's keys. The update position stays, so that a session that Telegram ended continues there after the next login; access
 * hashes belong to the account and stay too.
 */
export async function eraseKeys(tx: DbOrTx, accountId: string): Promise<void> {
  await tx.deleteFrom("telegram_auth_keys").where("account_id", "=", accountId).execute();
  await tx
    .deleteFrom("telegram_state")
    .where("account_id", "=", accountId)
    .where("key", "not like", "updates\\_%")
    .execute();
}

/** After this time, an account's keys are erased even if it could not be logged out at Telegram. */
export const LOG_OUT_WITHIN_MS = 3_600_000;

/** True while a worker still has to log out one of the user's ended accounts. */
export async function isLoggingOut(db: DbOrTx, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom("telegram_sessions as s")
    .innerJoin("telegram_auth_keys as k", "k.account_id", "s.id")
    .select("s.id")
    .where("s.user_id", "=", userId)
    .where("s.state", "in", ["disconnected", "ended"])
    .executeTakeFirst();
  return row !== undefined;
}

/** True while the account's keys are in the database, until its worker has logged out. */
export async function hasKeys(db: DbOrTx, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom("telegram_auth_keys")
    .select("dc")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row !== undefined;
}
