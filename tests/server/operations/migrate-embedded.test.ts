import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../../server/core/clock.ts";
import { moveStore } from "../../../server/db/move.ts";
import { openDatabase, type Engine } from "../../../server/db/index.ts";
import { openPglite } from "../../../server/db/pglite.ts";
import { tableChecksums } from "../../support/checksums.ts";
import { isRealPostgres, openEmpty, schemaTemplate } from "../../support/database.ts";
import { fillAccount } from "../../support/full-account.ts";
import { fillRichly } from "../../support/rich-account.ts";
import { addRow } from "../../support/rows.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-move-"));
const opened: Engine[] = [];

/** An empty database: on the real Postgres if there is one, else in memory. */
async function emptyTarget() {
  const engine = await openEmpty();
  opened.push(engine);
  return engine;
}
/** Shared by the tests, because nothing is ever committed to it. */
let empty: ReturnType<typeof emptyTarget> | undefined;
const sharedEmpty = () => (empty ??= emptyTarget());

const isEmpty = async ({ pool }: Engine): Promise<boolean> => {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and c.relkind in ('r', 'v', 'S')`,
  );
  return rows[0]?.n === 0;
};
const command = (args: string[]) => {
  const env = { PATH: process.env["PATH"], LEADLOOM_DATA: folder, NODE_NO_WARNINGS: "1" };
  return promisify(execFile)(process.execPath, ["server/db/migrate-embedded.ts", ...args], { env });
};

beforeAll(async () => {
  const { db, engine, close } = await openDatabase({
    kind: "pglite",
    dataDir: folder,
    template: await schemaTemplate(),
  });
  for (const [place, mark] of ["Ann's", "Боб"].entries()) {
    const { id } = await addRow(db, "auth.users", {
      email: `${place}@example.com`,
      encrypted_password: "x",
      raw_user_meta_data: JSON.stringify({ name: mark }),
    });
    if (place === 0) await fillAccount({ db, clock: systemClock }, id, mark);
    else await fillRichly(db, id, 8_000_000);
  }
  await engine.pool.query(
    "select nextval(pg_get_serial_sequence('public.messages', 'id')) from generate_series(1, 50)",
  );
  await close();
});
afterAll(async () => {
  for (const each of opened) await each.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test("moves an embedded store to Postgres unchanged, with its sequences", async () => {
  const source = await openPglite({ dataDir: folder });
  const target = await emptyTarget();
  const lines: string[] = [];
  const before = await tableChecksums(source);
  const moved = await moveStore(source.pool, target.pool, (line) => lines.push(line));
  const after = await tableChecksums(target);
  const compared = Object.keys(before).filter((name) => !["public.lead_words", "public.lead_names"].includes(name));
  expect(Object.fromEntries(compared.map((name) => [name, after[name]]))).toEqual(
    Object.fromEntries(compared.map((name) => [name, before[name]])),
  );
  expect(Object.keys(after)).toEqual(Object.keys(before));
  expect(moved.tables).toBe(compared.length);
  expect(lines).toContain("public.telegram_sessions: 1 row");

  const next = async ({ pool }: Engine) =>
    (await pool.query<{ n: string }>("select nextval(pg_get_serial_sequence('public.messages', 'id'))::text as n"))
      .rows[0]?.n;
  expect(await next(target)).toBe(await next(source));
  // The triggers work again: a new lead is counted and found by search.
  const lead = await target.pool.query<{ id: string }>(
    `insert into public.leads (owner_id, telegram_user_id, name, created_at, stage_entered_at)
     select owner_id, 42, 'Newcomer', now(), now() from public.stages limit 1 returning id`,
  );
  const { rows } = await target.pool.query<{ n: number }>(
    "select count(*)::int as n from public.lead_words where lead_id = $1",
    [lead.rows[0]?.id],
  );
  expect(rows[0]?.n).toBe(1);
  await expect(moveStore(source.pool, target.pool, () => {})).rejects.toThrow(
    /^The target is not empty: it has auth\./,
  );
  await source.close();
});

test("leaves the target empty when a move fails", async () => {
  const source = await openPglite({ dataDir: folder });
  const target = await sharedEmpty();
  const failing = {
    ...target.pool,
    async connect() {
      const client = await target.pool.connect();
      const query: typeof client.query = (text, params) =>
        text.startsWith("select setval") ? Promise.reject(new Error("the line was cut")) : client.query(text, params);
      return { ...client, query, release: () => client.release() };
    },
  };
  await expect(moveStore(source.pool, failing, () => {})).rejects.toThrow("the line was cut");
  expect(await isEmpty(target)).toBe(true);
  await source.close();
});

test("refuses to move a store of another release, and detects differences", async () => {
  const source = await openPglite({ dataDir: null, template: await schemaTemplate() });
  opened.push(source);
  const target = await sharedEmpty();
  await source.pool.query(
    "insert into supabase_migrations.schema_migrations (version, name) values ('29990101000000', 'later')",
  );
  await expect(moveStore(source.pool, target.pool, () => {})).rejects.toThrow(/of another release than this one/);
  await source.pool.query("delete from supabase_migrations.schema_migrations where version > '20260501'");
  await expect(moveStore(source.pool, target.pool, () => {})).rejects.toThrow(/lacks \d+ of this release's migrations/);
  expect(await isEmpty(target)).toBe(true);
});

test.runIf(isRealPostgres)("moves a folder to a real Postgres, and lists what is outside of it", async () => {
  const { url } = await emptyTarget();
  const { stdout } = await command(["--to", url ?? ""]);
  expect(stdout).toMatch(/moved [\d,]+ rows of \d+ tables; every count and checksum is the same/);
  expect(stdout).toContain("secrets.json");
  const secrets = fs.readFileSync(path.join(folder, "secrets.json"), "utf8");
  expect(stdout).not.toContain((JSON.parse(secrets) as { encryptionKey: string }).encryptionKey);
});
