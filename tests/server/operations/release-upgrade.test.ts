import fs from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../../server/core/config.ts";
import { RELEASE } from "../../../server/core/release.ts";
import { migrate, readMigrations } from "../../../server/db/migrate.ts";
import { openPglite } from "../../../server/db/pglite.ts";
import { openPostgres } from "../../../server/db/postgres.ts";
import { type RunningServer, startServer } from "../../../server/server.ts";
import { testDatabase } from "../../support/database.ts";
import { requestsTo } from "../../support/requests.ts";
import { newFolder } from "../../support/run-folder.ts";
import { untilIdle } from "../../support/waiting.ts";

const releases = path.join(import.meta.dirname, "releases");
const bootstrap = fs.readFileSync(path.join(import.meta.dirname, "../../../server/db/bootstrap.sql"), "utf8");
/** The settings that tools/release/record.mjs used for each release. */
const KEYS = { ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`, SUPABASE_JWT_SECRET: "x".repeat(32) };
const PHONE = "+15550001000";
const SELLER = { email: "ann@example.com", password: "correct horse" };

type Lead = { id: string; name: string; stage_id: string; notes: string | null; followup_order_sent: number };
type Stage = { id: string; name: string; order: number };

test("names the release in changelog and client, with recorded rows", () => {
  const read = (file: string) => fs.readFileSync(path.join(import.meta.dirname, "../../..", file), "utf8");
  expect(JSON.parse(read("client/package.json"))).toMatchObject({ version: RELEASE });
  expect(read("CHANGELOG.md")).toContain(`\n## ${RELEASE} - `);
  expect(fs.readdirSync(releases)).toContain(RELEASE);
});

describe.each(fs.readdirSync(releases))("an upgrade from %s", (release) => {
  const folder = path.join(releases, release);
  const dataDir = newFolder();
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let server: RunningServer;
  let token: string | undefined;

  beforeAll(async () => {
    database = await testDatabase({ isEmpty: true });
    const { options } = database;
    const engine = options.kind === "postgres" ? await openPostgres(options) : await openPglite(options);
    const rows = fs.readFileSync(path.join(folder, "rows.sql"), "utf8");
    await engine.pool.query(bootstrap);
    await engine.pool.query(`create schema supabase_migrations;
      create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text, checksum text)`);
    for (const { version, sql } of readMigrations())
      if (rows.includes(`VALUES ('${version}'`)) await engine.pool.query(sql);
    // A migration creates this key; the recorded one replaces it.
    await engine.pool.query("delete from outbox_key");
    // Without triggers, which would repeat what the release already did.
    await engine.pool.query(`begin; set local session_replication_role = replica; ${rows} commit;`);
    await engine.close();

    fs.mkdirSync(path.join(dataDir, "sandbox"));
    for (const file of fs.readdirSync(folder).filter((name) => name.endsWith(".sqlite.sql"))) {
      const store = new DatabaseSync(path.join(dataDir, "sandbox", file.replace(/\.sql$/, "")));
      store.exec(fs.readFileSync(path.join(folder, file), "utf8"));
      store.close();
    }
    const config = readConfig({ ...KEYS, LEADLOOM_DATA: dataDir, PORT: "0", LOG_LEVEL: "error", SHED_ABOVE_MS: "0" });
    server = await startServer(config, { database: options });
    ({ access_token: token } = await call<{ access_token: string }>(
      "POST",
      "/auth/v1/token?grant_type=password",
      SELLER,
    ));
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  const call = <T>(method: string, address: string, body?: unknown) =>
    requestsTo(server.url).must<T>(method, address, { token, body, headers: { apikey: "leadloom-anon" } });
  const sent = () => call<{ text: string }[]>("GET", `/sandbox/telegram/accounts/${PHONE}/sent`);

  test("keeps the account, its stages, leads and tags", async () => {
    expect(await migrate(server.deps.engine.pool)).toEqual([]);
    const stages = await call<Stage[]>("GET", "/api/stages");
    expect(stages.map(({ name, order }) => [name, order])).toEqual([
      ["Initial Contact", 1],
      ["Interested", 2],
    ]);
    const { leads } = await call<{ leads: Lead[] }>("GET", "/api/leads?limit=50&offset=0");
    const stageOf = ({ stage_id }: Lead) => stages.find(({ id }) => id === stage_id)?.name;
    const byName = leads.toSorted((a, b) => a.name.localeCompare(b.name));
    expect(byName.map((lead) => [lead.name, stageOf(lead), lead.notes, lead.followup_order_sent])).toEqual([
      ["Ada", "Initial Contact", null, 0],
      ["Bob", "Interested", null, 0],
      ["Cleo", "Initial Contact", "Call on Monday", 1],
    ]);
    expect((await call<{ name: string }[]>("GET", "/api/tags")).map(({ name }) => name)).toEqual(["Vip"]);
  });

  test("keeps the Telegram session and sends what is due, once", async () => {
    expect(await call("GET", "/api/telegram/status")).toMatchObject({ connected: true });
    expect((await sent()).map(({ text }) => text)).toEqual(["Hello Cleo"]);
    await call("POST", "/sandbox/clock", { advance_seconds: 3 * 3600 });
    await untilIdle(server.deps.work);
    expect((await sent()).map(({ text }) => text)).toEqual(["Hello Cleo", "Hello Ada"]);
  });
});
