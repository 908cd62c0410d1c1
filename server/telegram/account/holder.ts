import type { Deps, Running } from "../../core/deps.ts";
import type { TelegramConnection } from "../connection.ts";
import type { DbOrTx } from "../../db/index.ts";
import { LOG_OUT_WITHIN_MS, endSession, eraseKeys } from "../sessions.ts";
import type { Vault } from "../../core/vault.ts";
import type { AccountListeners } from "../types.ts";
import type { ClockSample } from "./clock-offset.ts";
import type { LeasedRow } from "./leases.ts";
import { type Link, openLink } from "./link.ts";

/** An account that this worker holds. */
export type AccountHandle = {
  readonly id: string;
  readonly userId: string;
  readonly fence: bigint;
  takeActivity(): string | null;
  /** since when the account is unusable, by `clock.monotonic()`; null while it is usable */
  unusableSince(): number | null;
  /** Resolves when the account is first usable. */
  usable(): Promise<void>;
  isCaughtUp(): boolean;
  readClock(): void;
  /** Finishes current sends and closes the connection. Does not release the lease. After a lost lease, it does not wait for sends. */
  close(isLost: boolean): Promise<void>;
};

export type HolderDeps = Pick<Deps, "db" | "bus" | "clock" | "logger" | "work">;
export type HolderOptions = {
  connection: TelegramConnection;
  vault: Vault;
  listeners: AccountListeners;
  onClockSample: (sample: ClockSample) => void;
  /** the account failed to start */
  onFailed(held: AccountHandle, error: unknown): void;
  /** the account ended: Telegram ended its session, or it was logged out */
  onDone(held: AccountHandle): void;
};

const RETRY_MS = 500;

/**
 * Connects a leased account and starts its sender and readers.
 * @param lease.leaving aborts when this worker loses the account; nothing may be sent after that
 * @param lease.canWrite checked before every write to Telegram
 */
export async function holdAccount(
  deps: HolderDeps,
  options: HolderOptions,
  row: LeasedRow,
  { leaving, canWrite }: { leaving: AbortSignal; canWrite: () => boolean },
): Promise<AccountHandle> {
  const fence = BigInt(row.fence);
  const account = { accountId: row.id, userId: row.user_id, telegramUserId: row.telegram_user_id };
  let running: Running | null = null;
  let link: Link | null = null;
  let lost = false;

  const held: AccountHandle = {
    id: row.id,
    userId: row.user_id,
    fence,
    takeActivity: () => link?.takeActivity() ?? null,
    unusableSince: () => link?.unusableSince() ?? null,
    usable: () => link?.usable ?? Promise.resolve(),
    isCaughtUp: () => link?.isCaughtUp() ?? true,
    readClock: () => link?.readClock(),
    async close(isLost) {
      if (isLost) await link?.close();
      await running?.stop();
      if (!isLost) await link?.close();
    },
  };
  const onLost = (reason: string, error: string) => {
    if (lost || leaving.aborted) return;
    lost = true;
    deps.logger.warn({ account: row.id, error }, "telegram ended the session");
    const record = () => endSession(deps, { accountId: row.id, state: "lost", reason, fence });
    void deps.work
      .track("record a lost session", untilRecorded(deps, record, leaving))
      .then(() => options.onDone(held));
  };
  link = await openLink(deps, {
    connection: options.connection,
    vault: options.vault,
    account: { ...account, fence },
    listeners: options.listeners,
    onLost,
    onClockSample: options.onClockSample,
    canWrite,
  });
  if (leaving.aborted) return held;
  link.connect().catch((error: unknown) => {
    if (!leaving.aborted && !lost) options.onFailed(held, error);
  });
  try {
    running = await options.listeners.onLeased({
      ...account,
      fence,
      port: link.port,
      chats: link.chats,
      signal: leaving,
    });
  } catch (error) {
    await link.close();
    throw error;
  }
  return held;
}

/** Retries a database write until it succeeds or the worker stops. */
async function untilRecorded(
  { clock }: HolderDeps,
  record: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await record();
      return;
    } catch {
      await clock.sleep(RETRY_MS, signal).catch(() => {});
    }
  }
}

/**
 * Logs a disconnected account out at Telegram, then erases its keys. Does neither if a login has replaced the session.
 * @returns false when Telegram could not be reached; the keys stay for a retry, for at most an hour
 */
export async function logOutAccount(
  deps: HolderDeps,
  options: Pick<HolderOptions, "connection" | "vault" | "listeners">,
  row: LeasedRow,
  canWrite: () => boolean,
): Promise<boolean> {
  const { logger, clock, db } = deps;
  let ended = false;
  const findUnreplaced = (within: DbOrTx) =>
    within
      .selectFrom("telegram_sessions")
      .select("id")
      .where("id", "=", row.id)
      .where("fence", "=", row.fence)
      .where("state", "!=", "connected");
  const account = { accountId: row.id, userId: row.user_id, telegramUserId: row.telegram_user_id };
  const link = await openLink(deps, {
    ...options,
    account: { ...account, fence: BigInt(row.fence) },
    onLost: () => (ended = true),
    onClockSample: () => {},
    canWrite,
    receivesUpdates: false,
  });
  try {
    // Checked after reading the keys: a login replaces the keys and the fence together.
    if ((await findUnreplaced(db).executeTakeFirst()) === undefined) return true;
    link.connect().catch(() => {});
    await link.logOut();
    ended = true;
  } catch (error) {
    logger.warn({ err: error, account: row.id }, "logging out at telegram failed");
  } finally {
    await link.close();
  }
  if (!ended && row.ended_at !== null && clock.now() - Date.parse(row.ended_at) < LOG_OUT_WITHIN_MS) return false;
  await db.transaction().execute(async (tx) => {
    if ((await findUnreplaced(tx).forUpdate().executeTakeFirst()) === undefined) return;
    await eraseKeys(tx, row.id);
    // The user disconnected on purpose, so the next login starts from its own time.
    await tx.deleteFrom("telegram_state").where("account_id", "=", row.id).execute();
  });
  return true;
}
