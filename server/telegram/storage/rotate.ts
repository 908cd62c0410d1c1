import type { Db } from "../../db/index.ts";
import { authKeyRowId } from "./auth-keys.ts";
import type { Vault } from "../../core/vault.ts";

const BATCH = 200;

/**
 * Encrypts every stored session key with the newest encryption key. Connected accounts stay connected, because workers hold the keys in
 * memory.
 * @returns how many keys were encrypted again
 * @throws when a key's own version is not configured, or a row was tampered with
 */
export async function rotateAuthKeys(db: Db, vault: Vault): Promise<number> {
  let rotated = 0;
  for (;;) {
    const done = await db.transaction().execute(async (tx) => {
      const rows = await tx
        .selectFrom("telegram_auth_keys as k")
        .innerJoin("telegram_sessions as s", "s.id", "k.account_id")
        .select(["k.account_id", "k.dc", "k.slot", "k.key_version", "k.sealed", "s.user_id"])
        .where("k.key_version", "!=", vault.newestVersion)
        .limit(BATCH)
        .forUpdate("k")
        .execute();
      for (const row of rows) {
        const binding = { userId: row.user_id, rowId: authKeyRowId(row.account_id, row.dc, row.slot) };
        const { version, bytes } = vault.seal(
          vault.open({ version: row.key_version, bytes: row.sealed }, binding),
          binding,
        );
        await tx
          .updateTable("telegram_auth_keys")
          .set({ key_version: version, sealed: bytes })
          .where("account_id", "=", row.account_id)
          .where("dc", "=", row.dc)
          .where("slot", "=", row.slot)
          .execute();
      }
      return rows.length;
    });
    rotated += done;
    if (done < BATCH) return rotated;
  }
}
