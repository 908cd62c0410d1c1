import { createHmac, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deriveKey } from "../../../server/core/secrets.ts";
import { createRandomIds, dedupeKeys } from "../../../server/outbox/index.ts";
import { startTestEngine, type TestEngine } from "../../support/engine.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());

describe("a message's random id", () => {
  it("is the same computed here and by the database, for any name", async () => {
    const ids = createRandomIds(engine.deps.config);
    const keys = [
      ...Array.from({ length: 500 }, () => `bulk:${randomUUID()}:${randomUUID()}`),
      "",
      "имя:标签:😀",
      "x".repeat(500),
    ];
    const { rows } = await sql<{ key: string; id: string }>`
      select key, ${ids.sqlOf(sql<string>`key`)} as id from unnest(${keys}::text[]) as key`.execute(engine.deps.db);
    expect(rows.map(({ id }) => BigInt(id))).toEqual(keys.map((key) => ids.of(key)));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(keys.length);
    expect(rows.some(({ id }) => id.startsWith("-"))).toBe(true);
  });

  it("is the first 64 bits of a keyed hash of its name, under the oldest encryption key", () => {
    const key = Buffer.alloc(32, 1);
    const ids = createRandomIds({
      encryptionKeys: [
        { version: 1, key },
        { version: 2, key: Buffer.alloc(32, 2) },
      ],
    });
    const wanted = createHmac("sha256", deriveKey(key, "outbox")).update("a").digest().readBigInt64BE(0);
    expect(ids.of("a")).toBe(wanted);
    expect(ids.of("a")).not.toBe(
      createRandomIds({ encryptionKeys: [{ version: 2, key: Buffer.alloc(32, 2) }] }).of("a"),
    );
  });

  it("differs for the next stage entry, the next try by hand and the next rule", () => {
    const ids = createRandomIds(engine.deps.config);
    const names = [
      dedupeKeys.manual("l", "f", 1, 0),
      dedupeKeys.manual("l", "f", 2, 0),
      dedupeKeys.manual("l", "f", 1, 1),
      dedupeKeys.reminder("r", "l", 1),
      dedupeKeys.reminder("r", "l", 2),
      dedupeKeys.digest("r", "1"),
    ];
    expect(new Set(names.map((name) => ids.of(name))).size).toBe(names.length);
  });
});
