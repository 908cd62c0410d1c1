import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { END_SILENT_IMPORTS, endSilentImports } from "../../../server/archive/run.ts";
import { startPlanning } from "../../../server/automation/index.ts";
import { tidyBatches } from "../../../server/batch/worker.ts";
import { createBus } from "../../../server/core/bus.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { readConfig } from "../../../server/core/config.ts";
import type { Jobs } from "../../../server/core/jobs.ts";
import { openLanguages } from "../../../server/core/languages.ts";
import { openDatabase, type OpenDatabase } from "../../../server/db/index.ts";
import { eraseExcluded } from "../../../server/exclusions/erase.ts";
import { scheduleErasures } from "../../../server/privacy/index.ts";
import { createLeases } from "../../../server/telegram/account/leases.ts";
import { startRetention } from "../../../server/telegram/retention.ts";
import { sweepOpenWebhooks } from "../../../server/webhooks/queue.ts";
import { writeOwners } from "../../bench/scale/stored.ts";
import { testDatabase } from "../../../tests/support/database.ts";
import { countRows } from "../rows-read.ts";

const OWNERS = 4;
const LEADS = 400;
/** The number of rows of each kind per owner, all settled or idle: none is ever due. */
const EACH = 30;

/** Nightly jobs may read everything once. */
const isOften = (cron: string): boolean => /^\S+ \* /.test(cron);
/** Jobs that are not run here: an hourly copy of the embedded store, and nightly jobs. */
const NOT_MEASURED = ["backup", "auth-sweep", "billing-reconcile"];

/** Rows that a plan reads at the start of an index. */
const FIRST_ROWS = 3;
/** The rows that a job may read per owner, independent of the owner's data: settings, rules, account. */
const ROWS_PER_OWNER: Record<string, number> = {
  "followups.plan": 1,
  "reminders.plan": 2,
  "telegram.retention": 4,
  "accounts to hold": 1,
};

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-costs-"));
let database: Awaited<ReturnType<typeof testDatabase>>;
let opened: OpenDatabase;
beforeAll(async () => {
  database = await testDatabase();
  opened = await openDatabase(database.options);
});
afterAll(async () => {
  await opened.close();
  await database.drop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

/** Adds owners with leads and with everything else that grows with them. */
async function grow(prefix: string, owners: number): Promise<void> {
  const { db } = opened;
  const ids = await writeOwners(opened, { owners, leads: owners * LEADS, prefix });
  const each = sql`unnest(${ids}::uuid[]) o(id), generate_series(1, ${EACH}) n`;
  const past = sql`now() - n * interval '1 hour'`;
  await sql`insert into reminders (owner_id, stage, stage_id, channel_id, template, told_until, verified_at)
    select owner_id, name, id, 'me', '{name}', now(), now() from stages where owner_id = any(${ids}::uuid[])`.execute(
    db,
  );
  await sql`insert into telegram_sessions (user_id, telegram_user_id, device, connected_at)
    select o.id, ('x' || left(md5(o.id::text), 8))::bit(32)::bigint, 'test', now() from unnest(${ids}::uuid[]) o(id)`.execute(
    db,
  );
  await sql`insert into tags (owner_id, name, color, created_at) select o.id, 'Tag ' || n, '#112233', now() from ${each}`.execute(
    db,
  );
  await sql`insert into fields (owner_id, name, type, created_at) select o.id, 'Field ' || n, 'text', now() from ${each}`.execute(
    db,
  );
  await sql`insert into views (owner_id, name, kind, created_at) select o.id, 'View ' || n, 'list', now() from ${each}`.execute(
    db,
  );
  await sql`insert into media (owner_id, sha256, kind, extension, mime, size) select o.id, n::text, 'image', 'png', 'image/png', 1 from ${each}`.execute(
    db,
  );
  await sql`insert into outbox (owner_id, kind, priority, dedupe_key, random_id, state, not_before, created_at, settled_at)
    select o.id, 'bulk', 4, o.id || ':' || n, n, 'sent', ${past}, ${past}, ${past} from ${each}`.execute(db);
  await sql`insert into ledger (id, owner_id, kind, state, random_id, attempts, planned_at, settled_at)
    select nextval(pg_get_serial_sequence('outbox', 'id')), o.id, 'bulk', 'sent', n, 1, ${past}, ${past} from ${each}`.execute(
    db,
  );
  await sql`insert into lead_batches (owner_id, action, status, created_at, finished_at, has_targets)
    select o.id, '{"type":"stage"}', 'completed', ${past}, ${past}, false from ${each}`.execute(db);
  await sql`insert into exclusions (owner_id, telegram_user_id, excluded_at) select o.id, n, ${past} from ${each}`.execute(
    db,
  );
  await sql`insert into account_imports (owner_id, status, total, created_at, finished_at)
    select o.id, 'completed', 1, ${past}, ${past} from ${each}`.execute(db);
  await sql`insert into webhooks (owner_id, url, events, key_version, sealed, created_at)
    select o.id, 'https://example.com/' || n, array['lead.created'], 1, '\\x00', ${past} from ${each}`.execute(db);
  await sql`insert into webhook_deliveries (owner_id, webhook_id, event_id, state, at, settled_at)
    select owner_id, id, 0, 'delivered', created_at, created_at from webhooks where owner_id = any(${ids}::uuid[])`.execute(
    db,
  );
  await sql`analyze`.execute(db);
}

/** Returns every job that runs at least hourly, and every query that workers run on their own, by name. */
async function collectJobs() {
  const logger = pino({ level: "silent" });
  const config = readConfig({ LEADLOOM_DATA: dataDir, LOG_LEVEL: "silent" });
  const { db, taken } = countRows(opened.engine);
  const bus = await createBus(opened.db, opened.engine, () => {});
  const work = new Map<string, () => Promise<unknown>>();
  const scheduled: string[] = [];
  const jobs: Jobs = {
    schedule(name, cron, run) {
      scheduled.push(name);
      if (isOften(cron)) work.set(name, run);
    },
    trigger: async () => {},
    start: async () => {},
    stop: async () => {},
  };
  const deps = {
    config,
    db,
    engine: opened.engine,
    clock: systemClock,
    bus,
    jobs,
    languages: openLanguages(),
    logger,
    work: createWork(),
  };
  const parts = [await startPlanning(deps), startRetention(deps)];
  scheduleErasures(deps, { erase: async () => {} });
  jobs.schedule(END_SILENT_IMPORTS, "* * * * *", () => endSilentImports(deps));
  const leases = createLeases(db);
  jobs.schedule("telegram.workers", "23 * * * *", () => leases.forgetEnded());
  work.set("finished batches", () => tidyBatches(deps));
  work.set("excluded people", () => eraseExcluded(deps));
  work.set("open webhook deliveries", () => sweepOpenWebhooks(deps));
  work.set("accounts to hold", () => leases.spread([], systemClock.iso()));
  await Promise.all(parts.map((part) => part.stop()));
  return {
    scheduled,
    async measure(): Promise<Map<string, number>> {
      const costs = new Map<string, number>();
      for (const [name, run] of work) {
        // The first run does the work that the added data causes; the second finds nothing due.
        await run();
        taken();
        await run();
        costs.set(
          name,
          [...taken().values()].reduce((sum, rows) => sum + rows, 0),
        );
      }
      return costs;
    },
  };
}

test("reads no more rows of a store several times as large when nothing is due", async () => {
  await grow("few", OWNERS);
  const { measure } = await collectJobs();
  const few = await measure();
  await grow("many", 4 * OWNERS);
  const many = await measure();
  const grown = [...many].flatMap(([name, rows]) => {
    const allowed = FIRST_ROWS + 4 * OWNERS * (ROWS_PER_OWNER[name] ?? 0);
    const more = rows - (few.get(name) ?? 0);
    return more > allowed ? [`${name}: ${more} rows more, ${allowed} allowed`] : [];
  });
  expect(grown).toEqual([]);
  // A job that reads no rows would prove nothing.
  for (const name of Object.keys(ROWS_PER_OWNER)) expect(many.get(name), name).toBeGreaterThan(0);
});

test("measures every scheduled job", async () => {
  const root = fileURLToPath(new URL("../../../server/", import.meta.url));
  const files = fs.readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const source = files.map((file) => fs.readFileSync(path.join(root, file), "utf8")).join("\n");
  const constants = new Map(
    [...source.matchAll(/const ([A-Z_]+) = ("[^"]+");/g)].map(([, name = "", text = ""]) => [name, text]),
  );
  const names = [...source.matchAll(/jobs\.schedule\(\s*([\w".-]+)/g)].map(
    ([, name = ""]) => constants.get(name) ?? name,
  );
  const { scheduled } = await collectJobs();
  const known = [...scheduled, ...NOT_MEASURED].map((name) => JSON.stringify(name));
  expect(names.toSorted()).toEqual(known.toSorted());
});
