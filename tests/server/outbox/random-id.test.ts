import { createHmac, randomUUID } from "node:crypto";
import { sql, type Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { deriveKey } from "../../../server/core/vault.ts";
import type { Database } from "../../../server/db/index.ts";
import { keepOutboxKey, randomIdOf, nameOf } from "../../../server/outbox/names.ts";
import { ownEngine } from "../../support/engine.ts";

const engine = await ownEngine();

const KEY = Buffer.alloc(32, 1);
const NEWER = Buffer.alloc(32, 2);
const keys = (...all: Buffer[]) => ({ encryptionKeys: all.map((key, index) => ({ version: index + 1, key })) });
const hashed = (key: Buffer, name: string) => createHmac("sha256", key).update(name).digest().readBigInt64BE(0);

async function idsOf(db: Kysely<Database>, names: readonly string[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: string }>`
    select ${randomIdOf(sql`name`)} as id from unnest(${names}::text[]) with ordinality as n(name, place) order by place`.execute(
    db,
  );
  return rows.map(({ id }) => BigInt(id));
}

/** Runs `work` on a database from before random ids had their own key, and restores it afterwards. */
async function onOlderInstallation(work: (db: Kysely<Database>) => Promise<void>): Promise<void> {
  const undo = new Error("undo");
  const done = engine.deps.db.transaction().execute(async (tx) => {
    await sql`delete from outbox_key`.execute(tx);
    await work(tx);
    throw undo;
  });
  await expect(done).rejects.toBe(undo);
}

describe("a message's random id", () => {
  it("is the first 64 bits of a keyed hash of its name", async () => {
    const generated = Array.from({ length: 500 }, () => `bulk:${randomUUID()}:${randomUUID()}`);
    const names = [...generated, "", "имя:标签:😀", "x".repeat(500)];
    await onOlderInstallation(async (db) => {
      await keepOutboxKey(db, keys(KEY));
      const ids = await idsOf(db, names);
      expect(ids).toEqual(names.map((name) => hashed(deriveKey(KEY, "outbox"), name)));
      expect(new Set(ids).size).toBe(names.length);
      expect(ids.some((id) => id < 0n)).toBe(true);
    });
  });

  it("stays the same when the encryption keys are rotated or the oldest is removed", async () => {
    await onOlderInstallation(async (db) => {
      await keepOutboxKey(db, keys(KEY));
      const before = await idsOf(db, ["a"]);
      await keepOutboxKey(db, keys(KEY, NEWER));
      await keepOutboxKey(db, keys(NEWER));
      expect(await idsOf(db, ["a"])).toEqual(before);
    });
  });

  it("does not depend on an encryption key in a new installation", async () => {
    const [before] = await idsOf(engine.deps.db, ["a"]);
    await keepOutboxKey(engine.deps.db, engine.deps.config);
    expect(await idsOf(engine.deps.db, ["a"])).toEqual([before]);
    const oldest = engine.deps.config.encryptionKeys[0]?.key ?? KEY;
    expect(before).not.toBe(hashed(deriveKey(oldest, "outbox"), "a"));
    expect(before).not.toBe(hashed(Buffer.alloc(32), "a"));
  });

  it("differs for each stage entry, manual attempt, request and rule", async () => {
    const step = { leadId: "l", followupId: "f", epoch: 1 };
    const names = [
      nameOf.click(step, 0),
      nameOf.click({ ...step, epoch: 2 }, 0),
      nameOf.click(step, 1),
      nameOf.request("l", "1"),
      nameOf.reply("l", "1"),
      nameOf.reply("l", "2"),
      nameOf.reminder("r", "l", 1),
      nameOf.reminder("r", "l", 2),
      nameOf.digest("r", "1"),
    ];
    expect(new Set(await idsOf(engine.deps.db, names)).size).toBe(names.length);
  });
});
