import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, readMigrations } from "../../../server/db/migrate.ts";
import type { Engine } from "../../../server/db/index.ts";
import { openPglite } from "../../../server/db/pglite.ts";
import { openPostgres } from "../../../server/db/postgres.ts";
import { testDatabase } from "../../support/database.ts";

const FIRST_RELEASE = "20260101000500";
const SELLER = "00000000-0000-4000-8000-000000000001";
const bootstrap = new URL("../../../server/db/bootstrap.sql", import.meta.url);

/** 200 leads of one seller, each with a question and an answer by bulk, follow-up, hand or phone; one send that was cut off. */
const SEED = `
  insert into auth.users (id, email, encrypted_password) values ('${SELLER}', 'ann@example.com', '-');
  insert into stages (owner_id, name, keywords, color, "order") values ('${SELLER}', 'New', '{hello}', '#112233', 1);
  insert into followups (owner_id, stage_id, message, followup_order, delay_hours) select owner_id, id, 'How are you?', 0, 24 from stages;
  insert into leads (owner_id, telegram_user_id, stage_id, created_at, last_message_at, last_inbound_at, last_outbound_at, stage_entered_at)
    select s.owner_id, 1000 + i, s.id, at, at, at + case when i % 2 = 0 then interval '1 hour' else '-1 hour' end, at, at
    from stages s, generate_series(1, 200) i, (select timestamptz '2026-01-05T10:00:00Z' as at) t;
  insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, state, not_before, account_user_id, message_id, created_at)
    select owner_id, (array['bulk', 'followup', 'manual'])[telegram_user_id % 4], 3, id::text, telegram_user_id, id, 'sent', created_at, 7,
      telegram_user_id, created_at from leads where telegram_user_id % 4 > 0;
  insert into outbox (owner_id, kind, priority, dedupe_key, random_id, lead_id, state, is_uncertain, not_before, created_at)
    select owner_id, 'bulk', case telegram_user_id when 1001 then 0 else 3 end, 'open' || id, 100 + telegram_user_id, id, 'pending',
      telegram_user_id = 1001, created_at, created_at from leads where telegram_user_id < 1003;
  insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at)
    select owner_id, 7, telegram_user_id, telegram_user_id, true, 'answer', created_at from leads;
  insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, text, sent_at, media_type)
    select owner_id, 7, telegram_user_id, 5000 + telegram_user_id, false, 'question', created_at,
      (array['photo', 'voice', 'poll'])[telegram_user_id % 4] from leads;`;

let engine: Engine;
let drop: () => Promise<void>;
const read = async (sql: string) => (await engine.pool.query(sql)).rows;

beforeAll(async () => {
  const database = await testDatabase({ isEmpty: true });
  ({ drop } = database);
  engine =
    database.options.kind === "postgres" ? await openPostgres(database.options) : await openPglite(database.options);
  await engine.pool.query(fs.readFileSync(bootstrap, "utf8"));
  await engine.pool.query(
    "create schema supabase_migrations; create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text)",
  );
  for (const { version, sql } of readMigrations().filter((file) => file.version <= FIRST_RELEASE)) {
    await engine.pool.query(sql);
    await engine.pool.query("insert into supabase_migrations.schema_migrations (version) values ($1)", [version]);
  }
  await engine.pool.query(SEED);
  await migrate(engine.pool);
});
afterAll(async () => {
  await engine.close();
  await drop();
});

test("an upgrade tells of each stored message what it is and which send it was", async () => {
  expect(
    await read(
      "select kind, source, state, count(*)::int as n from messages group by kind, source, state order by source, kind",
    ),
  ).toEqual([
    { kind: "text", source: "bulk", state: "sent", n: 50 },
    { kind: "text", source: "followup", state: "sent", n: 100 },
    { kind: "text", source: "telegram", state: "sent", n: 50 },
    { kind: "other", source: "them", state: "received", n: 50 },
    { kind: "photo", source: "them", state: "received", n: 50 },
    { kind: "text", source: "them", state: "received", n: 50 },
    { kind: "voice", source: "them", state: "received", n: 50 },
  ]);
});

test("an upgrade keeps the queue's order and every random id, and leaves the key that names messages to the server", async () => {
  expect(
    await read("select priority, random_id, is_uncertain from outbox where state = 'pending' order by random_id"),
  ).toEqual([
    { priority: 0, random_id: "1101", is_uncertain: true },
    { priority: 4, random_id: "1102", is_uncertain: false },
  ]);
  expect(await read("select * from outbox_key")).toEqual([]);
});

test("after an upgrade whoever wrote last waits, and every stage's plan is made", async () => {
  expect(await read("select count(*)::int as n from leads where waiting_since = last_inbound_at")).toEqual([
    { n: 100 },
  ]);
  expect(await read("select count(*)::int as n from stale_plans")).toEqual([{ n: 1 }]);
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
