import type { IKeyValueRepository, ITelegramStorageProvider } from "@mtcute/core";
import { systemClock } from "../../core/clock.ts";
import { isDatabaseUnavailable } from "../../core/errors.ts";
import type { Db } from "../../db/index.ts";
import { type Account, createAuthKeys } from "./auth-keys.ts";
import { type AddressBook, createAddressBook } from "./address-book.ts";
import type { Vault } from "../../core/vault.ts";

/** Telegram's update position; mtcute requests everything after it. */
const UPDATE_STATE = /^updates_/;
/** Positions of channels are not stored; missed channel updates are not needed. */
const CHANNEL_STATE = /^updates_channel:/;

const AGAIN_MS = 500;

/** mtcute's storage, and its address book. */
export type AccountStorage = ITelegramStorageProvider & { book: Pick<AddressBook, "expect" | "flush" | "settle"> };

/**
 * mtcute's storage in the database, for one account.
 * @param beforeProgress resolves when everything read so far is stored; only then may the position advance
 * @param closing ends retries while the database is unavailable
 */
export function createAccountStorage(
  db: Db,
  vault: Vault,
  account: Account,
  beforeProgress: () => Promise<void>,
  closing: AbortSignal = new AbortController().signal,
): AccountStorage {
  const book = createAddressBook(db, account);
  // Called while an update is passed on, whose position counts as read; a failure would lose the update.
  const patiently =
    <Given extends unknown[], T>(ask: (...given: Given) => Promise<T> | T) =>
    async (...given: Given): Promise<T> => {
      for (;;) {
        try {
          return await ask(...given);
        } catch (error) {
          if (closing.aborted || !isDatabaseUnavailable(error)) throw error;
          await systemClock.sleep(AGAIN_MS, closing);
        }
      }
    };
  const { peers, references } = book;
  return {
    book,
    // A batch that cannot be written is kept for the next one; the call that caused it has succeeded.
    driver: { save: () => book.flush().catch(() => {}) },
    kv: createState(db, account.accountId, {
      beforeProgress: () => book.settle(beforeProgress),
      onChannelRead: book.dropStrangers,
    }),
    authKeys: createAuthKeys(db, vault, account),
    peers: {
      ...peers,
      getById: patiently(peers.getById),
      getByUsername: patiently(peers.getByUsername),
      getByPhone: patiently(peers.getByPhone),
    },
    refMessages: {
      ...references,
      store: patiently(references.store),
      getByPeer: patiently(references.getByPeer),
      delete: patiently(references.delete),
      deleteByPeer: patiently(references.deleteByPeer),
    },
  };
}

/** The library writes its position after it has passed on everything up to there. */
function createState(
  db: Db,
  accountId: string,
  { beforeProgress, onChannelRead }: { beforeProgress: () => Promise<void>; onChannelRead: () => void },
): IKeyValueRepository {
  return {
    async set(key, value) {
      if (CHANNEL_STATE.test(key)) return onChannelRead();
      if (UPDATE_STATE.test(key)) await beforeProgress();
      const bytes = Buffer.from(value);
      await db
        .insertInto("telegram_state")
        .values({ account_id: accountId, key, value: bytes })
        .onConflict((conflict) => conflict.columns(["account_id", "key"]).doUpdateSet({ value: bytes }))
        .execute();
    },
    async get(key) {
      const row = await db
        .selectFrom("telegram_state")
        .select("value")
        .where("account_id", "=", accountId)
        .where("key", "=", key)
        .executeTakeFirst();
      return row === undefined ? null : new Uint8Array(row.value);
    },
    async delete(key) {
      await db.deleteFrom("telegram_state").where("account_id", "=", accountId).where("key", "=", key).execute();
    },
    async deleteAll() {
      await db.deleteFrom("telegram_state").where("account_id", "=", accountId).execute();
    },
  };
}
