import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres } from "../../../scripts/postgres.mjs";
import { createBus } from "../../../server/core/bus.ts";
import { openDatabase, type DatabaseLimits, type OpenDatabase } from "../../../server/db/index.ts";
import { createStageRules } from "../../../server/stages/rules.ts";
import { startCutProxy } from "../../../tests/support/cut-proxy.ts";
import { waitFor } from "../../../tests/support/waiting.ts";

const postgres = await startPostgres();
const direct = new URL(postgres?.url ?? "postgres://127.0.0.1");
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
  postgres?.stop();
});

/** Opens a database behind a proxy that can be cut. */
async function open(limits: Partial<DatabaseLimits> = {}) {
  const proxy = await startCutProxy({ host: direct.hostname, port: Number(direct.port) });
  const url = new URL(direct);
  url.host = `127.0.0.1:${proxy.port}`;
  const opened = await openDatabase({ kind: "postgres", url: url.href, limits });
  closing.push(
    () => proxy.close(),
    async () => void opened.close().catch(() => {}),
  );
  return { proxy, ...opened };
}

const isMissing = postgres === null;
let plain: OpenDatabase;
beforeAll(async () => {
  if (postgres === null) return;
  plain = await openDatabase({ kind: "postgres", url: postgres.url });
  closing.push(() => plain.close());
});

test.skipIf(isMissing)("fails a call on a connection that went silent, and opens a new one for the next", async () => {
  const { engine, proxy } = await open({ poolSize: 1, queryMs: 1_000 });
  proxy.cut();
  await expect(engine.pool.query("select 1 as one where $1", [true])).rejects.toThrow("Query read timeout");
  proxy.heal();
  expect((await engine.pool.query("select 1 as one where $1", [true])).rows).toEqual([{ one: 1 }]);
});

test.skipIf(isMissing)("releases the lock of a holder that disappeared silently", async () => {
  const { engine, proxy } = await open({ idleTransactionMs: 1_500 });
  await plain.engine.pool.query("create table held (id int)");
  await plain.engine.pool.query("insert into held values (1)");
  const client = await engine.pool.connect();
  await client.query("begin");
  await client.query("select * from held for update");
  proxy.cut();
  const { rows } = await plain.engine.pool.query("select * from held for update");
  expect(rows).toEqual([{ id: 1 }]);
});

test.skipIf(isMissing)("listens again after a silent cut, and looks up missed changes", async () => {
  const { db, engine, proxy } = await open();
  const bus = await createBus(db, engine, () => {});
  const rules = createStageRules(db, bus);
  const owner = randomUUID();
  const user = { id: owner, email: "owner@example.com", encrypted_password: "-" };
  await plain.db
    .insertInto("auth.users")
    .values({ ...user, email_confirmed_at: null, last_sign_in_at: null })
    .execute();
  const before = await rules.of(owner);
  const received: string[] = [];
  let gaps = 0;
  bus.on("clock.moved", () => received.push("clock.moved"));
  bus.onGap(() => (gaps += 1));
  proxy.cut();
  proxy.heal();
  await plain.db
    .insertInto("stage_rules")
    .values({ owner_id: owner, version: before.version + 1 })
    .execute();
  expect((await rules.of(owner)).version).toBe(before.version);
  await waitFor(() => expect(gaps).toBe(1));
  expect((await rules.of(owner)).version).toBe(before.version + 1);
  await (await createBus(plain.db, plain.engine, () => {})).publish("clock.moved", {});
  await waitFor(() => expect(received).toHaveLength(1));
});
