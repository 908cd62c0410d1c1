import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { listBackups, restoreBackup, writeBackup } from "../../../server/db/backup.ts";
import { openDatabase, type DatabaseOptions, type Engine } from "../../../server/db/index.ts";
import { openHouse } from "../../chaos/house.ts";
import { Seller, until } from "../../chaos/seller.ts";

const newFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-backup-"));
/** Runs one of the commands on a data folder; gives its last line and how it ended. */
const command = (name: string, folder: string, ...args: string[]) => {
  const { status, stdout } = spawnSync(process.execPath, [`server/db/${name}.ts`, ...args], {
    env: { PATH: process.env["PATH"], LEADLOOM_DATA: folder },
    encoding: "utf8",
  });
  return { status, lines: stdout.trim().split("\n") };
};

/** Rows and a checksum of every table, but for the boot marks of the open store. */
async function contents(options: DatabaseOptions): Promise<Record<string, string>> {
  const { engine, close } = await openDatabase(options);
  try {
    return await read(engine);
  } finally {
    await close();
  }
}
async function read({ pool }: Engine): Promise<Record<string, string>> {
  const tables = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'auth') and c.relkind = 'r' and $1 order by 1`,
    [true],
  );
  const found: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ print: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as print from ${name} t where $1`,
      [true],
    );
    found[name] = rows[0]?.print ?? "";
  }
  return found;
}

test(
  "a backup made during a bulk send brings back every row after the store is wiped, and nobody gets a message twice",
  { timeout: 180_000 },
  async () => {
    const house = await openHouse({ databaseUrl: null, workers: 0 });
    try {
      const seller = await Seller.join(house, 1);
      await seller.meetPeople(60);
      await seller.startBulk("Drill");
      const sent = async () => (await seller.delivered()).filter(({ text }) => text === "Drill");
      await until(async () => (await sent()).length >= 10, "the first messages");
      const backup = command("backup-now", house.folder);
      expect(backup.status).toBe(0);
      const file = listBackups(house.folder)[0] ?? "";
      expect(backup.lines[0]).toBe(`leadloom · backup written to ${file}`);
      const refused = command("restore", house.folder, file);
      expect(refused).toEqual({ status: 1, lines: [expect.stringContaining("is in use by another Leadloom process")] });

      await until(async () => (await sent()).length >= 30, "messages after the backup");
      await house.web.kill();
      const atKill = (await sent()).length;
      fs.rmSync(path.join(house.folder, "postgres"), { recursive: true });
      const restored = command("restore", house.folder, file);
      expect(restored).toEqual({
        status: 0,
        lines: [expect.stringMatching(/^leadloom · restored 1 users, 60 leads, \d+ messages$/)],
      });
      const template = new Uint8Array(gunzipSync(fs.readFileSync(file)));
      const saved = await contents({ kind: "pglite", dataDir: null, template });
      expect(await contents({ kind: "pglite", dataDir: house.folder })).toEqual(saved);
      expect(saved["public.leads"]).toMatch(/^60 /);
      expect(saved["public.outbox"]).toMatch(/^60 /);
      expect(atKill).toBeGreaterThanOrEqual(30);

      house.web.start();
      await house.web.ready();
      await until(async () => (await seller.job()).status === "completed", "the end of the bulk job");
      const everything = await sent();
      expect(everything).toHaveLength(60);
      expect(new Set(everything.map(({ to_user_id: id }) => id)).size).toBe(60);
      expect(await seller.job()).toMatchObject({ sent_count: 60, failed_count: 0 });
    } finally {
      await house.close();
    }
  },
);

test("the newest 48 backups are kept; a file that is none changes nothing", async () => {
  const folder = newFolder();
  const { engine, close } = await openDatabase({ kind: "pglite", dataDir: folder });
  const file = await writeBackup(engine, folder);
  for (let hour = 0; hour < 60; hour += 1)
    fs.copyFileSync(
      file,
      path.join(folder, "backups", `leadloom-2020-01-01T${String(hour).padStart(2, "0")}-00Z.tar.gz`),
    );
  const newest = await writeBackup(engine, folder);
  expect(listBackups(folder)).toHaveLength(48);
  expect(listBackups(folder).slice(0, 2)).toEqual([newest, file]);
  expect(listBackups(folder).at(-1)).toContain("T14-00Z");
  await close();

  const before = fs.readdirSync(folder).toSorted();
  const broken = path.join(folder, "broken.tar.gz");
  fs.writeFileSync(broken, fs.readFileSync(file).subarray(0, 10_000));
  await expect(restoreBackup(folder, broken)).rejects.toThrow("unexpected end of file");
  fs.rmSync(broken);
  expect(fs.readdirSync(folder).toSorted()).toEqual(before);
  fs.rmSync(folder, { recursive: true });
});

test("a second process on a data folder in use is refused with one line, five times of five", async () => {
  const folder = newFolder();
  const { engine, close } = await openDatabase({ kind: "pglite", dataDir: folder });
  for (let time = 0; time < 5; time += 1) {
    const { status, stderr, stdout } = spawnSync(process.execPath, ["server/main.ts"], {
      env: { PATH: process.env["PATH"], LEADLOOM_DATA: folder, PORT: "0", NODE_NO_WARNINGS: "1" },
      encoding: "utf8",
    });
    expect({ status, stderr, stdout }).toEqual({
      status: 1,
      stderr: `leadloom · The data folder ${folder} is in use by another Leadloom process. Stop it first, or set LEADLOOM_DATA to another folder.\n`,
      stdout: "",
    });
  }
  expect((await engine.pool.query<{ one: number }>("select 1 as one where $1", [true])).rows).toEqual([{ one: 1 }]);
  await close();
  fs.rmSync(folder, { recursive: true });
});
