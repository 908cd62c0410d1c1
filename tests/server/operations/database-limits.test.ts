import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type ConfigError, readConfig } from "../../../server/core/config.ts";
import { type DatabaseLimits, openDatabase } from "../../../server/db/index.ts";
import { isRealPostgres, testDatabase } from "../../support/database.ts";

/** Opens an empty database with these limits; `before` runs in it first, `client` is a session without limits. */
async function open(limits: Partial<DatabaseLimits>, before?: (client: pg.Client) => Promise<unknown>) {
  const { options, drop } = await testDatabase({ isEmpty: true });
  if (options.kind !== "postgres") throw new Error("Only a real Postgres has these limits.");
  const client = new pg.Client({ connectionString: options.url });
  await client.connect();
  await before?.(client);
  const opened = await openDatabase({ ...options, limits });
  onTestFinished(async () => {
    await opened.close();
    await client.end();
    await drop();
  });
  return { ...opened, client };
}

test.skipIf(!isRealPostgres)("makes the database itself limit every session", async () => {
  const limits = { statementMs: 21_000, lockMs: 4_000, idleTransactionMs: 7_000, keepAliveMs: 9_000 };
  const { engine } = await open(limits);
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
});

test("refuses to start with a limit that makes no sense", () => {
  const env = { DATABASE_URL: "postgres://x@127.0.0.1/x", DATABASE_POOL_SIZE: "1", DATABASE_QUERY_MS: "2000" };
  const problems = (() => {
    try {
      readConfig(env);
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  })();
  expect(problems).toEqual([
    'DATABASE_POOL_SIZE must be a whole number from 2 to 500, not "1".',
    "DATABASE_QUERY_MS must be greater than DATABASE_STATEMENT_MS: the database gives up first, and says why.",
  ]);
});
