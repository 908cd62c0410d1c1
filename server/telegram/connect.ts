import { sql } from "kysely";
import { storedReason } from "../../domain/stored-reasons.ts";
import { endAbsence } from "../bulk/away.ts";
import { pollUntil } from "../core/poll-until.ts";
import { audit } from "../core/audit.ts";
import type { Deps } from "../core/deps.ts";
import { ProblemError } from "../core/problem.ts";
import { isUniqueViolation, type DbOrTx, type Tx } from "../db/index.ts";
import { failLimitedJob } from "../outbox/job-counts.ts";
import { resetReachability } from "../outbox/reach.ts";
import { restartAutomation } from "../settings/index.ts";
import type { TelegramConnection } from "./connection.ts";
import type { Connector } from "./login/attempt.ts";
import { logOutSession } from "./login/log-out.ts";
import { DC_IDS, type SessionKeys } from "./login/login-client.ts";
import { accountInUse, loginNotSaved, sessionExpired } from "./login/problems.ts";
import { announce, endConnected, endSessionWithin, eraseKeys, findConnected, hasKeys, lockLogins } from "./sessions.ts";
import { createAuthKeys } from "./storage/auth-keys.ts";
import { type Vault, createVault } from "../core/vault.ts";

const LOG_OUT_WAIT_MS = 8_000;
const LOOK_MS = 500;
const BREAK_MS = 60_000;
/** If the user reconnects within this time after Telegram ended the session, updates continue from the last position. */
const RESUME_WITHIN_MS = 7 * 24 * 3_600_000;

type Shared = Pick<Deps, "db" | "bus" | "clock" | "config" | "work">;

/**
 * Disconnects the user's account: a worker logs out at Telegram and erases the keys. Waits for that briefly; if Telegram cannot be reached,
 * the worker keeps retrying.
 */
export async function disconnectAccount(deps: Omit<Shared, "config">, userId: string): Promise<void> {
  const accountId = await endConnected(deps, userId);
  if (accountId !== null) await waitForLogOut(deps, accountId);
}

/** Waits briefly until the worker has logged the account out and erased its keys. */
async function waitForLogOut(deps: Pick<Deps, "db" | "bus" | "clock" | "work">, accountId: string): Promise<void> {
  await pollUntil(deps, async () => !(await hasKeys(deps.db, accountId)) || null, {
    onNews: (look) => deps.bus.on("telegram.account", ({ account_id: id }) => id === accountId && look()),
    everyMs: LOOK_MS,
    withinMs: LOG_OUT_WAIT_MS,
  });
}

/**
 * Stores a new session as the user's account, and ends the previous one in the same transaction. The previous session is then logged out,
 * even of the same account; otherwise it would stay in the user's list of devices. A session that cannot be stored is logged out, and the
 * account is unchanged. An account that another user has connected is refused, and so is a user whose account is being deleted.
 */
export function createConnector(deps: Shared & Pick<Deps, "logger">, connection: TelegramConnection): Connector {
  const vault = createVault(deps.config.encryptionKeys);
  const admit = async (userId: string, telegramUserId: string, within: DbOrTx = deps.db): Promise<void> => {
    const other = await within
      .selectFrom("telegram_sessions")
      .select("id")
      .where("telegram_user_id", "=", telegramUserId)
      .where("state", "=", "connected")
      .where("user_id", "!=", userId)
      .executeTakeFirst();
    if (other !== undefined) throw accountInUse();
    const erasure = await within
      .selectFrom("account_erasures")
      .select("user_id")
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (erasure !== undefined) throw sessionExpired();
  };
  const store = (userId: string, session: SessionKeys) =>
    deps.db.transaction().execute(async (tx): Promise<Replaced> => {
      const { bus, clock } = deps;
      await lockLogins(tx, userId);
      await admit(userId, session.user.id, tx);
      const now = clock.iso();
      const current = await findConnected(tx, userId);
      const before = await tx
        .selectFrom("telegram_sessions")
        .select(["id", "state", "ended_at"])
        .where("user_id", "=", userId)
        .where("telegram_user_id", "=", session.user.id)
        .forUpdate()
        .executeTakeFirst();
      const isBack = current === undefined && (await wasAway(tx, userId, clock.now()));
      const isSame = current !== undefined && current.id === before?.id;
      // A worker may not have logged the disconnected session out yet.
      const old =
        before !== undefined && (await hasKeys(tx, before.id))
          ? await takeKeys(tx, vault, { accountId: before.id, userId })
          : null;
      if (current !== undefined && !isSame)
        await endSessionWithin(tx, deps, {
          accountId: current.id,
          state: "disconnected",
          reason: storedReason("session_replaced"),
        });
      const values = {
        phone: session.user.phone,
        state: "connected" as const,
        device: connection.device,
        connected_at: now,
        ended_at: null,
        ended_reason: null,
        access_ended_at: null,
      };
      // Takes the session from its worker; the new fence makes the worker's late writes and log-out fail.
      const replaced = { ...values, lease_owner: null, fence: sql<string>`telegram_sessions.fence + 1` };
      const { id, stopped_at: stoppedAt } = await tx
        .insertInto("telegram_sessions")
        .values({ user_id: userId, telegram_user_id: session.user.id, ...values })
        .onConflict((conflict) => conflict.columns(["user_id", "telegram_user_id"]).doUpdateSet(replaced))
        .returning(["id", "stopped_at"])
        .executeTakeFirstOrThrow();
      const resumes =
        isSame ||
        (before?.state === "lost" &&
          before.ended_at !== null &&
          clock.now() - Date.parse(before.ended_at) < RESUME_WITHIN_MS);
      await storeSession(tx, vault, { accountId: id, userId }, session, resumes);
      const reachesMore = await resetReachability(tx, deps, { ownerId: userId, telegramUserId: session.user.id });
      if (isBack || reachesMore) await restartAutomation(tx, userId, now);
      // Telegram has limited the new account, so a job started with another one cannot continue.
      if (stoppedAt !== null) await failLimitedJob(tx, deps, userId);
      await endAbsence(tx, deps, userId);
      // Only the account that started an import can continue it.
      await tx
        .updateTable("chat_imports")
        .set({ status: "failed", reason: storedReason("chat_import_failed"), finished_at: now, paused_until: null })
        .where("owner_id", "=", userId)
        .where("account_user_id", "!=", session.user.id)
        .where("status", "=", "in_progress")
        .execute();
      await audit(tx, { userId, action: "telegram_connected", at: now, detail: { account_id: id } });
      await announce(bus, id, userId, tx);
      return { old, other: current !== undefined && !isSame ? current.id : null };
    });
  /** Returns whether the session was stored after all; a connection error during a commit leaves that open. */
  const isStored = async (userId: string, { user, authKeys }: SessionKeys): Promise<boolean> => {
    const account = await deps.db
      .selectFrom("telegram_sessions")
      .select("id")
      .where("user_id", "=", userId)
      .where("telegram_user_id", "=", user.id)
      .where("state", "=", "connected")
      .executeTakeFirst();
    const [first] = authKeys;
    if (account === undefined || first === undefined) return false;
    const stored = await createAuthKeys(deps.db, vault, { accountId: account.id, userId }).get(first.dc);
    return stored !== null && Buffer.compare(stored, first.key) === 0;
  };
  const connect: Connector["connect"] = async (userId, session) => {
    const { old, other } = await store(userId, session).catch(async (error: unknown): Promise<Replaced> => {
      const isOurs = error instanceof ProblemError ? false : await isStored(userId, session).catch(() => null);
      if (isOurs === true) return { old: null, other: null };
      // While the database cannot tell, the session may be in use.
      if (isOurs === false) await logOutSession(connection, deps.clock, session);
      if (error instanceof ProblemError) throw error;
      // Two users connected the same account at the same time; the second is refused.
      if (isUniqueViolation(error)) throw accountInUse();
      deps.logger.error({ err: error, user: userId }, "a telegram login could not be stored");
      throw loginNotSaved();
    });
    if (old !== null && !(await logOutSession(connection, deps.clock, old)))
      deps.logger.warn(
        { user: userId },
        "a replaced Telegram session could not be logged out: it stays in the list of devices",
      );
    if (other !== null) await waitForLogOut(deps, other);
    return { phone: session.user.phone };
  };
  return { admit, connect };
}

/** What a new session replaces: another session of the same account, or another account. */
type Replaced = { old: Pick<SessionKeys, "authKeys" | "state"> | null; other: string | null };

/** Removes an account's keys from the database, to log the old session out with them. */
async function takeKeys(
  tx: Tx,
  vault: Vault,
  account: { accountId: string; userId: string },
): Promise<Pick<SessionKeys, "authKeys" | "state">> {
  const keys = createAuthKeys(tx, vault, account);
  const read = async (dc: number) => keys.get(dc);
  const authKeys: SessionKeys["authKeys"] = [];
  for (const dc of DC_IDS) {
    // Skip a key that can no longer be decrypted, so that it does not block the login.
    const key = await read(dc).catch(() => null);
    if (key !== null) authKeys.push({ dc, key });
  }
  const state = await tx
    .selectFrom("telegram_state")
    .select(["key", "value"])
    .where("account_id", "=", account.accountId)
    .where("key", "not like", "updates\\_%")
    .execute();
  await eraseKeys(tx, account.accountId);
  return { authKeys, state };
}

/** Nothing goes stale if one login replaces another without a break. */
async function wasAway(tx: Tx, userId: string, now: number): Promise<boolean> {
  const { ended } = await tx
    .selectFrom("telegram_sessions")
    .select((row) => row.fn.max("ended_at").as("ended"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return ended === null || ended === undefined || now - Date.parse(ended) >= BREAK_MS;
}

async function storeSession(
  tx: Tx,
  vault: Vault,
  account: { accountId: string; userId: string },
  session: SessionKeys,
  resumes: boolean,
): Promise<void> {
  const keys = createAuthKeys(tx, vault, account);
  await keys.deleteAll();
  for (const { dc, key } of session.authKeys) await keys.set(dc, key);

  const put = async (key: string, value: Uint8Array, replaces: boolean) => {
    const bytes = Buffer.from(value);
    await tx
      .insertInto("telegram_state")
      .values({ account_id: account.accountId, key, value: bytes })
      .onConflict((conflict) => {
        const target = conflict.columns(["account_id", "key"]);
        return replaces ? target.doUpdateSet({ value: bytes }) : target.doNothing();
      })
      .execute();
  };
  for (const { key, value } of session.state) await put(key, value, true);
  for (const [name, number] of Object.entries(session.updates)) {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(number);
    await put(`updates_${name}`, bytes, !resumes);
  }
}
