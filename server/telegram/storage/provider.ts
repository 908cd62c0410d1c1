import type { IKeyValueRepository, ITelegramStorageProvider } from "@mtcute/core";
import { systemClock } from "../../core/clock.ts";
import { isDatabaseAway } from "../../core/errors.ts";
import type { Db } from "../../db/index.ts";
import { type Account, createAuthKeys } from "./auth-keys.ts";
import { type AddressBook, createAddressBook } from "./address-book.ts";
import type { Vault } from "../../core/vault.ts";

/** How far Telegram's updates were read; mtcute asks for everything after it. */
const UPDATE_STATE = /^updates_/;
/** How far a channel was read is nothing to us: what is missed there stays missed. */
const CHANNEL_STATE = /^updates_channel:/;

const AGAIN_MS = 500;

/** mtcute's storage, and the address book behind it. */
export type AccountStorage = ITelegramStorageProvider & { book: Pick<AddressBook, "expect" | "flush" | "settle"> };

/**
 * mtcute's storage in our database, one account's rows.
 * @param beforeProgress resolves when everything read so far is stored; only then may the read position move on
 * @param closing ends the patience with a database that is away
 */
export function createAccountStorage(
  db: Db,
  vault: Vault,
  account: Account,
  beforeProgress: () => Promise<void>,
  closing: AbortSignal = new AbortController().signal,
): AccountStorage {
  const book = createAddressBook(db, account);
  // Asked while an update is handed on, whose place counts as read by then: a failure would lose it for good.
  const patiently =
    <Given extends unknown[], T>(ask: (...given: Given) => Promise<T> | T) =>
    async (...given: Given): Promise<T> => {
      for (;;) {
        try {
          return await ask(...given);
        } catch (error) {
          if (closing.aborted || !isDatabaseAway(error)) throw error;
          await systemClock.sleep(AGAIN_MS, closing);
        }
      }
    };
  const { peers, references } = book;
  return {
    book,
    // A batch that cannot be written now is kept for the next; the call it came with has succeeded all the same.
    driver: { save: () => book.flush().catch(() => {}) },
    kv: createState(db, account.accountId, {
      beforeProgress: () => book.settle(beforeProgress),
      onChannelRead: book.handedOn,
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

/** The library writes how far it read when it has handed on everything until there. */
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
