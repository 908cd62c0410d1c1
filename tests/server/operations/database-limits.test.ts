import { expect, test } from "vitest";
import { openDatabase } from "../../../server/db/index.ts";
import { openPglite } from "../../../server/db/pglite.ts";
import { isRealPostgres, testDatabase } from "../../support/database.ts";

test.skipIf(!isRealPostgres)("sets the limits of every session in the database", async () => {
  const limits = { statementMs: 21_000, lockMs: 4_000, idleTransactionMs: 7_000, keepAliveMs: 9_000 };
  const { options, drop } = await testDatabase({ isEmpty: true });
  if (options.kind !== "postgres") throw new Error("Only a real Postgres has these limits.");
  const { engine, close } = await openDatabase({ ...options, limits });
  const { rows } = await engine.pool.query<{ limits: Record<string, number> }>(
    `select json_object_agg(name, setting::int) as limits from pg_settings
     where name ~ '^(statement_timeout|lock_timeout|idle_in_transaction_session_timeout|tcp_keepalives_.*|tcp_user_timeout)$'`,
  );
  expect(rows[0]?.limits).toEqual({
    statement_timeout: 21_000,
    lock_timeout: 4_000,
    idle_in_transaction_session_timeout: 7_000,
    tcp_keepalives_idle: 9,
    tcp_keepalives_interval: 3,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 18_000,
  });
  await close();
  await drop();
});

test("ends the transaction that a failed text leaves open in the embedded database", async () => {
  const engine = await openPglite({ dataDir: null });
  const failed = engine.pool.query("begin; create table t (n int); select 1 / 0; commit");
  await expect(failed).rejects.toThrow("division by zero");
  expect((await engine.pool.query("select to_regclass('t') as found")).rows).toEqual([{ found: null }]);
  await engine.close();
});
