import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { createWork } from "../../server/core/work.ts";
import { systemClock } from "../../server/core/clock.ts";
import { createJobs } from "../../server/core/jobs.ts";
import { openDatabase, type DatabaseOptions, type Engine } from "../../server/db/index.ts";
import { openPglite } from "../../server/db/pglite.ts";
import { openPostgres } from "../../server/db/postgres.ts";
import { schemaFingerprint } from "../../server/db/migrate.ts";

const cache = fileURLToPath(new URL("../../node_modules/.cache/leadloom", import.meta.url));
const queuePackage = fileURLToPath(new URL("../../node_modules/pg-boss/package.json", import.meta.url));
let databases = 0;

/** Returns a template name that depends on its content: our schema and the job queue's. */
const templateName = () =>
  `schema_${schemaFingerprint()}_${createHash("sha256").update(fs.readFileSync(queuePackage)).digest("hex").slice(0, 8)}`;

/** Creates the tables of the job queue, which its first start would otherwise create. */
async function makeQueueTables(engine: Engine): Promise<void> {
  const jobs = createJobs(
    { engine, clock: systemClock, logger: pino({ level: "silent" }), work: createWork() },
    { runsWork: false },
  );
  await jobs.start();
  await jobs.stop();
}

let template: Promise<Uint8Array> | null = null;

/** A migrated, empty store: built once per schema, read once per process, then copied. */
export const schemaTemplate = (): Promise<Uint8Array> => (template ??= readTemplate());

async function readTemplate(): Promise<Uint8Array> {
  const file = path.join(cache, `${templateName()}.tar`);
  if (!fs.existsSync(file)) {
    const { engine, close } = await openDatabase({ kind: "pglite", dataDir: null });
    await makeQueueTables(engine);
    const dump = await engine.dump("none");
    await close();
    fs.mkdirSync(cache, { recursive: true });
    fs.writeFileSync(`${file}.${process.pid}`, dump);
    fs.renameSync(`${file}.${process.pid}`, file);
  }
  return new Uint8Array(fs.readFileSync(file));
}

const TEMPLATE_LOCK = 7_351_002;

function addressOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function withAdmin<T>(server: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/** Creates the same template on a real Postgres unless another process already did. Returns its name. */
function realTemplate(server: string): Promise<string> {
  return withAdmin(server, async (admin) => {
    const name = `leadloom_${templateName()}`;
    const isThere = async () =>
      (await admin.query("select 1 from pg_database where datname = $1", [name])).rowCount === 1;
    if (await isThere()) return name;
    await admin.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]);
    if (await isThere()) return name;
    const draft = `${name}_draft`;
    await admin.query(`drop database if exists ${draft} with (force)`);
    await admin.query(`create database ${draft}`);
    const { engine, close } = await openDatabase({ kind: "postgres", url: addressOf(server, draft) });
    try {
      await makeQueueTables(engine);
    } finally {
      await close();
    }
    await admin.query(`alter database ${draft} rename to ${name}`);
    return name;
  });
}

/** Creates the migrated database that tests copy: on the Postgres at `url`, or embedded when it is null. */
export async function makeTemplate(url: string | null): Promise<void> {
  await (url === null ? schemaTemplate() : realTemplate(url));
}

/** Whether the tests run on real Postgres; false on the embedded database. */
export const isRealPostgres = process.env["TEST_DATABASE_URL"] !== undefined;

/**
 * Creates a database for one test: in memory, or on the real Postgres that TEST_DATABASE_URL names. It is migrated, unless `isEmpty`.
 * `drop` deletes it once it is closed.
 */
export async function testDatabase({ isEmpty = false } = {}): Promise<{
  options: DatabaseOptions;
  drop(): Promise<void>;
}> {
  const server = process.env["TEST_DATABASE_URL"];
  if (server === undefined) {
    const template = isEmpty ? null : await schemaTemplate();
    return { options: { kind: "pglite", dataDir: null, template }, drop: async () => {} };
  }
  databases += 1;
  const copied = isEmpty ? "template0" : await realTemplate(server);
  const name = `leadloom_test_${process.pid}_${databases}_${Date.now().toString(36)}`;
  await withAdmin(server, (admin) => admin.query(`create database ${name} template ${copied} strategy file_copy`));
  return {
    options: { kind: "postgres", url: addressOf(server, name) },
    drop: () => withAdmin(server, async (admin) => void (await admin.query(`drop database ${name} with (force)`))),
  };
}

/** Opens an empty database for one test, without any tables; `url` is null on the embedded one. `close` deletes it. */
export async function openEmpty(): Promise<Engine & { url: string | null }> {
  const { options, drop } = await testDatabase({ isEmpty: true });
  const engine = await (options.kind === "postgres" ? openPostgres(options) : openPglite(options));
  const close = async () => {
    await engine.close();
    await drop();
  };
  return { ...engine, close, url: options.kind === "postgres" ? options.url : null };
}
