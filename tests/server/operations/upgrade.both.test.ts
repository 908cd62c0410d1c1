import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, readMigrations } from "../../../server/db/migrate.ts";
import { openEmpty } from "../../support/database.ts";

const FIRST_RELEASE = "20260101000500";
const SELLER = "00000000-0000-4000-8000-000000000001";
const bootstrap = new URL("../../../server/db/bootstrap.sql", import.meta.url);

/** Two leads of one seller with one queued message each; the first message may have been delivered. */
const SEED = `
  insert into auth.users (id, email, encrypted_password) values ('${SELLER}', 'ann@example.com', '-');
  insert into stages (owner_id, name, keywords, color, "order") values ('${SELLER}', 'New', '{hello}', '#112233', 1);
  insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at)
    select owner_id, 1000 + i, id, now(), now() from stages, generate_series(1, 2) i;
  insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, state, is_uncertain, not_before, created_at)
    select owner_id, 'bulk', case telegram_user_id when 1001 then 0 else 3 end, 'open' || id, 100 + telegram_user_id, id, 'pending',
      telegram_user_id = 1001, created_at, created_at from leads;`;

const seller = (n: number) => `00000000-0000-4000-8000-00000000010${n}`;
/** Three sellers with a running bulk job: one connected, one disconnected for three days, one without access for two. */
const JOBS = `
  insert into auth.users (id, email, encrypted_password)
    select id, id || '@example.com', '-' from unnest(array['${seller(1)}', '${seller(2)}', '${seller(3)}']::uuid[]) id;
  insert into telegram_sessions (user_id, telegram_user_id, state, device, connected_at, ended_at) values
    ('${seller(1)}', 1, 'connected', 'test', now(), null),
    ('${seller(2)}', 2, 'disconnected', 'test', now() - interval '9 days', now() - interval '3 days'),
    ('${seller(3)}', 3, 'connected', 'test', now(), null);
  insert into subscriptions (user_id, status, canceled_at) values
    ('${seller(1)}', 'active', null), ('${seller(2)}', 'active', null), ('${seller(3)}', 'canceled', now() - interval '2 days');
  insert into bulk_jobs (owner_id, message, throttle_ms, created_at)
    select user_id, 'News', 5000, now() from subscriptions;`;

const engine = await openEmpty();
afterAll(() => engine.close());
const read = async (sql: string) => (await engine.pool.query(sql)).rows;

beforeAll(async () => {
  await engine.pool.query(fs.readFileSync(bootstrap, "utf8"));
  await engine.pool.query(
    "create schema supabase_migrations; create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text)",
  );
  for (const { version, sql } of readMigrations().filter((file) => file.version <= FIRST_RELEASE)) {
    await engine.pool.query(sql);
    await engine.pool.query("insert into supabase_migrations.schema_migrations (version) values ($1)", [version]);
  }
  await engine.pool.query(SEED);
  await engine.pool.query(JOBS);
  await migrate(engine.pool);
});

test("keeps the queue's order and every random id on an upgrade", async () => {
  const open = "select priority, random_id, is_uncertain from outbox where state = 'pending' order by random_id";
  expect(await read(open)).toEqual([
    { priority: 0, random_id: "1101", is_uncertain: true },
    { priority: 4, random_id: "1102", is_uncertain: false },
  ]);
  expect(await read("select * from outbox_key")).toEqual([]);
});

test("records since when a running bulk job's account is away on an upgrade", async () => {
  const days = "round(extract(epoch from now() - away_since) / 86400)::int";
  const away = await read(`select ${days} as days from bulk_jobs order by owner_id`);
  expect(away.map((row) => row["days"])).toEqual([null, 3, 2]);
});

test("refuses a database that a newer release has migrated, and says what to do", async () => {
  await engine.pool.query(
    "insert into supabase_migrations.schema_migrations (version, name, checksum) values ('29990101000000', 'later', 'x')",
  );
  await expect(migrate(engine.pool)).rejects.toThrow(
    /^A newer release has migrated this database \(to 29990101000000; this release knows \d+\)\. Start that release, or restore the backup/,
  );
  await engine.pool.query("delete from supabase_migrations.schema_migrations where version = '29990101000000'");
  expect(await migrate(engine.pool)).toEqual([]);
});
