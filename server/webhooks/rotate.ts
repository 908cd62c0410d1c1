import type { Vault } from "../core/vault.ts";
import type { Db } from "../db/index.ts";

const BATCH = 200;

/**
 * Encrypts every webhook's secret under the newest encryption key.
 * @returns how many were encrypted again
 * @throws when a secret's own key version is not configured, or a row was tampered with
 */
export async function rotateWebhookSecrets(db: Db, vault: Vault): Promise<number> {
  let rotated = 0;
  for (;;) {
    const done = await db.transaction().execute(async (tx) => {
      const rows = await tx
        .selectFrom("webhooks")
        .select(["id", "owner_id", "key_version", "sealed"])
        .where("key_version", "!=", vault.newestVersion)
        .limit(BATCH)
        .forUpdate()
        .execute();
      for (const { id, owner_id: userId, key_version: version, sealed } of rows) {
        const binding = { userId, rowId: id };
        const resealed = vault.seal(vault.open({ version, bytes: sealed }, binding), binding);
        await tx
          .updateTable("webhooks")
          .set({ key_version: resealed.version, sealed: resealed.bytes })
          .where("id", "=", id)
          .execute();
      }
      return rows.length;
    });
    rotated += done;
    if (done < BATCH) return rotated;
  }
}
