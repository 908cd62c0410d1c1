import type { IAuthKeysRepository } from "@mtcute/core";
import type { DbOrTx } from "../../db/index.ts";
import type { Vault } from "../../core/vault.ts";

export type Account = { accountId: string; userId: string };

const PERMANENT = -1;

/** The row that a sealed key is bound to. */
export const authKeyRowId = (accountId: string, dc: number, slot: number) => `${accountId}:${dc}:${slot}`;

/** mtcute's authorisation keys, sealed; whoever holds one is the account. */
export function createAuthKeys(db: DbOrTx, vault: Vault, { accountId, userId }: Account): IAuthKeysRepository {
  const put = async (dc: number, slot: number, key: Uint8Array | null, expires: number) => {
    if (key === null) {
      await remove(dc, slot);
      return;
    }
    const { version, bytes } = vault.seal(key, { userId, rowId: authKeyRowId(accountId, dc, slot) });
    const values = { key_version: version, sealed: bytes, expires_at: Math.trunc(expires) };
    await db
      .insertInto("telegram_auth_keys")
      .values({ account_id: accountId, dc, slot, ...values })
      .onConflict((conflict) => conflict.columns(["account_id", "dc", "slot"]).doUpdateSet(values))
      .execute();
  };
  const remove = async (dc: number, slot: number) => {
    await db
      .deleteFrom("telegram_auth_keys")
      .where("account_id", "=", accountId)
      .where("dc", "=", dc)
      .where("slot", "=", slot)
      .execute();
  };
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
    async deleteByDc(dc) {
      await db.deleteFrom("telegram_auth_keys").where("account_id", "=", accountId).where("dc", "=", dc).execute();
    },
    async deleteAll() {
      await db.deleteFrom("telegram_auth_keys").where("account_id", "=", accountId).execute();
    },
  };
}
