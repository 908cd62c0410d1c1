import type { IAuthKeysRepository } from "@mtcute/core";
import { sql, type RawBuilder } from "kysely";
import type { DbOrTx } from "../../db/index.ts";
import type { Vault } from "../../core/vault.ts";

/** `fence`: only the worker that holds the account under it may write keys. A login that replaces the session increments it. */
export type Account = { accountId: string; userId: string; fence?: bigint };

const PERMANENT = -1;

/** The row id that an encrypted key is bound to. */
export const authKeyRowId = (accountId: string, dc: number, slot: number) => `${accountId}:${dc}:${slot}`;

/** mtcute's authorization keys, encrypted. Each gives full access to the account. */
export function createAuthKeys(db: DbOrTx, vault: Vault, { accountId, userId, fence }: Account): IAuthKeysRepository {
  // Returns one row while the account is held. The lock waits for a login that is replacing the session.
  const held =
    fence === undefined
      ? sql`select`
      : sql`select from telegram_sessions where id = ${accountId}::uuid and fence = ${fence.toString()}::bigint for share`;
  const put = async (dc: number, slot: number, key: Uint8Array | null, expires: number) => {
    if (key === null) {
      await remove(dc, slot);
      return;
    }
    const { version, bytes } = vault.seal(key, { userId, rowId: authKeyRowId(accountId, dc, slot) });
    await sql`with held as materialized (${held})
      insert into telegram_auth_keys (account_id, dc, slot, key_version, sealed, expires_at)
      select ${accountId}::uuid, ${dc}::int, ${slot}::int, ${version}::int, ${bytes}::bytea, ${Math.trunc(expires)}::bigint from held
      on conflict (account_id, dc, slot) do update
      set key_version = excluded.key_version, sealed = excluded.sealed, expires_at = excluded.expires_at`.execute(db);
  };
  const erase = async (which: RawBuilder<unknown>) => {
    await sql`with held as materialized (${held})
      delete from telegram_auth_keys using held where account_id = ${accountId}::uuid ${which}`.execute(db);
  };
  const remove = (dc: number, slot: number) => erase(sql`and dc = ${dc}::int and slot = ${slot}::int`);
  const read = async (dc: number, slot: number, now: number): Promise<Uint8Array | null> => {
    const row = await db
      .selectFrom("telegram_auth_keys")
      .select(["key_version", "sealed", "expires_at"])
      .where("account_id", "=", accountId)
      .where("dc", "=", dc)
      .where("slot", "=", slot)
      .executeTakeFirst();
    if (row === undefined || (slot !== PERMANENT && Number(row.expires_at) <= now)) return null;
    return vault.open(
      { version: row.key_version, bytes: row.sealed },
      { userId, rowId: authKeyRowId(accountId, dc, slot) },
    );
  };
  return {
    set: (dc, key) => put(dc, PERMANENT, key, 0),
    get: (dc) => read(dc, PERMANENT, 0),
    setTemp: put,
    getTemp: read,
    deleteByDc: (dc) => erase(sql`and dc = ${dc}::int`),
    deleteAll: () => erase(sql``),
  };
}
