import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { readConfig } from "../../../server/core/config.ts";
import { openDatabase } from "../../../server/db/index.ts";
import { listLeads, streamLargePage } from "../../../server/leads/list.ts";
import { isRealPostgres, testDatabase } from "../../support/database.ts";

const OWNER = "00000000-0000-4000-8000-000000000001";

/** What one session has prepared by name, after the first pages of the list were read several times, and a large one. */
async function prepared(namedStatements: boolean): Promise<number[]> {
  const { options, drop } = await testDatabase();
  if (options.kind !== "postgres") throw new Error("a real Postgres is needed");
  const { db, close } = await openDatabase({ ...options, limits: { poolSize: 1, namedStatements } });
  try {
    await sql`insert into auth.users (id, email, encrypted_password) values (${OWNER}, 'ann@example.com', '-')`.execute(
      db,
    );
    await sql`insert into leads (owner_id, telegram_user_id, created_at, stage_entered_at)
      select ${OWNER}::uuid, n, now() + n * interval '1 second', now() from generate_series(1, 120) n`.execute(db);
    const known = async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_prepared_statements`.execute(db);
      return rows[0]?.n ?? 0;
    };
    const counts: number[] = [];
    for (const offset of [0, 50, 100, 0, 50, 100]) {
      const { leads, total } = JSON.parse(await listLeads(db, OWNER, { limit: 50, offset })) as {
        leads: { telegram_user_id: number }[];
        total: number;
      };
      expect([leads.length, leads[0]?.telegram_user_id, total]).toEqual([offset === 100 ? 20 : 50, 120 - offset, 120]);
      counts.push(await known());
    }
    const large: unknown = JSON.parse(await text(await streamLargePage(db, OWNER, { limit: 100_000, offset: 0 })));
    expect(large).toEqual(JSON.parse(await listLeads(db, OWNER, { limit: 120, offset: 0 })));
    return [...counts, await known()];
  } finally {
    await close();
    await drop();
  }
}

it.skipIf(!isRealPostgres)(
  "the list's first pages and what a large one is read by are prepared once a session, and not at all where the setting says so",
  async () => {
    expect(await prepared(true)).toEqual([1, 2, 3, 3, 3, 3, 4]);
    expect(await prepared(false)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  },
);

it.each([
  ["postgres://u@db.example.com:5432/postgres", {}, true],
  ["postgres://u@pooler.example.com:6543/postgres?sslmode=require", {}, false],
  ["postgres://u@pooler.example.com:6543/postgres", { DATABASE_NAMED_STATEMENTS: "1" }, true],
  ["postgres://u@db.example.com/postgres", { DATABASE_NAMED_STATEMENTS: "0" }, false],
])("at %s with %o statements are named: %s", (url, more, expected) => {
  const { database } = readConfig({ DATABASE_URL: url, SUPABASE_JWT_SECRET: "x".repeat(32), ...more });
  expect(database.kind === "postgres" && database.limits.namedStatements).toBe(expected);
});
