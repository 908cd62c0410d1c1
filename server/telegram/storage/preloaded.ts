import type { ITelegramStorageProvider } from "@mtcute/core";
import type { Db } from "../../db/index.ts";

/**
 * Reads an account's keys and state before the client starts. During the start, a failed read would be an uncatchable error, and each read
 * a separate statement.
 * @returns the storage, and a function that stops answering from memory once the client runs
 * @throws when the database cannot be read
 */
export async function preloadStorage(
  db: Db,
  accountId: string,
  storage: ITelegramStorageProvider,
): Promise<{ storage: ITelegramStorageProvider; release(): void }> {
  const [states, keys] = await Promise.all([
    db.selectFrom("telegram_state").select(["key", "value"]).where("account_id", "=", accountId).execute(),
    db.selectFrom("telegram_auth_keys").select("dc").distinct().where("account_id", "=", accountId).execute(),
  ]);
  let state: Map<string, Uint8Array> | null = new Map(states.map(({ key, value }) => [key, new Uint8Array(value)]));
  let authKeys: Map<number, Uint8Array | null> | null = new Map();
  for (const { dc } of keys) authKeys.set(dc, await storage.authKeys.get(dc));
  const { kv } = storage;

  return {
    storage: {
      ...storage,
      kv: {
        get: (key) => (state === null ? kv.get(key) : (state.get(key) ?? null)),
        async set(key, value) {
          await kv.set(key, value);
          state?.set(key, value);
        },
        async delete(key) {
          await kv.delete(key);
          state?.delete(key);
        },
        async deleteAll() {
          await kv.deleteAll();
          state?.clear();
        },
      },
      authKeys: {
        ...storage.authKeys,
        get: (dc) => (authKeys === null ? storage.authKeys.get(dc) : (authKeys.get(dc) ?? null)),
        async set(dc, key) {
          await storage.authKeys.set(dc, key);
          authKeys?.set(dc, key);
        },
        async deleteAll() {
          await storage.authKeys.deleteAll();
          authKeys?.clear();
        },
        async deleteByDc(dc) {
          await storage.authKeys.deleteByDc(dc);
          authKeys?.delete(dc);
        },
      },
    },
    release() {
      state = null;
      authKeys = null;
    },
  };
}
