import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { listBackups, restoreBackup, writeBackup } from "../../../server/db/backup.ts";
import { requireStore, RESTORED } from "../../../server/db/pglite.ts";
import { startPostgres } from "../../../scripts/postgres.mjs";
import { type Db, type Engine, openDatabase } from "../../../server/db/index.ts";
import { tableChecksums } from "../../support/checksums.ts";
import { isRealPostgres, schemaTemplate, testDatabase } from "../../support/database.ts";
import { fillRichly } from "../../support/rich-account.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-backup-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

async function withStore<T>(work: (engine: Engine, db: Db) => Promise<T>): Promise<T> {
  const { db, engine, close } = await openDatabase({
    kind: "pglite",
    dataDir: folder,
    template: await schemaTemplate(),
  });
  try {
    return await work(engine, db);
  } finally {
    await close();
  }
}
function run(file: string, ...args: string[]) {
  const env = { PATH: process.env["PATH"], LEADLOOM_DATA: folder, PORT: "0", NODE_NO_WARNINGS: "1" };
  const options = { env, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [`server/${file}`, ...args], options);
  return { status, output: stdout + stderr };
}

it("restores every row by the backup and restore commands", async () => {
  const before = await withStore(async (engine, db) => {
    const user = { email: "ann@example.com", encrypted_password: "x" };
    const { id } = await db.insertInto("auth.users").values(user).returning("id").executeTakeFirstOrThrow();
    await fillRichly(db, id, 8_000_000);
    return tableChecksums(engine);
  });
  const written = run("db/backup-now.ts");
  const [file = ""] = listBackups(folder);
  expect(written).toEqual({ status: 0, output: expect.stringContaining(`leadloom · backup written to ${file}\n`) });
  fs.rmSync(path.join(folder, "postgres"), { recursive: true });
  const restored = run("db/restore.ts", file);
  const counts = /^leadloom · restored 1 users, [1-9]\d* leads, [1-9]\d* messages\n$/;
  expect(restored).toEqual({ status: 0, output: expect.stringMatching(counts) });
  expect(await withStore(tableChecksums)).toEqual(before);
});

it.skipIf(!isRealPostgres)("restores a dump on a new Postgres by the documented commands", async () => {
  const section =
    /\*\*Postgres\.\*\*([^]*?)\*\*Embedded/.exec(fs.readFileSync("docs/operations.md", "utf8"))?.[1] ?? "";
  const dump = /`(pg_dump .*?)`/.exec(section)?.[1] ?? "";
  const restore = /^```\n([^]*?)^```$/m.exec(section)?.[1]?.replaceAll("server/db", path.resolve("server/db")) ?? "";
  const target = await startPostgres();
  if (target === null) throw new Error("There is no Postgres.");
  const shell = (commands: string, url: string) =>
    spawnSync("sh", ["-ec", commands], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: `${target.bin}:${process.env["PATH"]}`, DATABASE_URL: url },
    });
  const contents = async (engine: Engine) => ({
    tables: await tableChecksums(engine),
    policies: (await engine.pool.query("select tablename, policyname from pg_policies order by 1, 2")).rows,
  });
  const { options, drop } = await testDatabase();
  try {
    if (options.kind !== "postgres") throw new Error("This test needs Postgres.");
    const { db, engine, close } = await openDatabase(options);
    const user = { email: "ann@example.com", encrypted_password: "x" };
    const { id } = await db.insertInto("auth.users").values(user).returning("id").executeTakeFirstOrThrow();
    await fillRichly(db, id, 8_000_000);
    const before = await contents(engine);
    await close();
    expect(shell(dump, options.url)).toMatchObject({ status: 0 });
    expect(shell(restore, target.url)).toMatchObject({ status: 0 });
    const restored = await openDatabase({ kind: "postgres", url: target.url });
    expect(await contents(restored.engine)).toEqual(before);
    await restored.close();
  } finally {
    target.stop();
    await drop();
  }
});

it.each(["db/backup-now.ts", "telegram/rotate-keys.ts"])("refuses %s when the data folder has no database", (file) => {
  const missing = `There is no embedded store in ${folder}. Set LEADLOOM_DATA to the folder of the installation.\n`;
  expect(run(file)).toEqual({ status: 1, output: expect.stringContaining(missing) });
  expect(fs.readdirSync(folder)).toEqual(["secrets.json"]);
});

it("keeps the newest 48 backups and changes nothing when a file is no backup", async () => {
  const file = await withStore(async (engine) => {
    const first = await writeBackup(engine, folder);
    for (let hour = 10; hour < 70; hour += 1)
      fs.copyFileSync(first, path.join(folder, "backups", `leadloom-2020-01-01T${hour}-00Z.tar.gz`));
    const newest = await writeBackup(engine, folder);
    expect(listBackups(folder)).toHaveLength(48);
    expect(listBackups(folder).slice(0, 2)).toEqual([newest, first]);
    expect(listBackups(folder).at(-1)).toContain("T24-00Z");
    return first;
  });
  const before = fs.readdirSync(folder).toSorted();
  const broken = path.join(folder, "broken.tar.gz");
  fs.writeFileSync(broken, fs.readFileSync(file).subarray(0, 10_000));
  await expect(restoreBackup(folder, broken)).rejects.toThrow("unexpected end of file");
  fs.rmSync(broken);
  expect(fs.readdirSync(folder).toSorted()).toEqual(before);
});

it("finishes a restore that was interrupted before its last rename", async () => {
  const rename = fs.renameSync;
  const [file, before] = await withStore(async (engine, db) => {
    await db.insertInto("auth.users").values({ email: "ann@example.com", encrypted_password: "x" }).execute();
    return [await writeBackup(engine, folder), await tableChecksums(engine)] as const;
  });
  const killed = new Error("killed");
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    if (to === path.join(folder, "postgres")) throw killed;
    rename(from, to);
  });
  await expect(restoreBackup(folder, file)).rejects.toBe(killed);
  vi.restoreAllMocks();
  expect(() => requireStore(folder)).not.toThrow();
  expect(await withStore(tableChecksums)).toEqual(before);
});

it("restores after a restore that was interrupted before its first rename of the database", async () => {
  const file = await withStore((engine) => writeBackup(engine, folder));
  const left = path.join(folder, RESTORED);
  fs.mkdirSync(path.join(left, "base"), { recursive: true });
  await restoreBackup(folder, file);
  expect(fs.existsSync(left)).toBe(false);
  fs.mkdirSync(left);
  await withStore(tableChecksums);
  expect(fs.existsSync(left)).toBe(false);
});

it("leaves nothing of a backup that could not be written", async () => {
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  vi.spyOn(fs, "renameSync").mockImplementationOnce(() => {
    throw full;
  });
  await withStore((engine) => expect(writeBackup(engine, folder)).rejects.toBe(full));
  expect(fs.readdirSync(path.join(folder, "backups"))).toEqual([]);
});

it("refuses every command while another process uses the data folder", async () => {
  const inUse = `The data folder ${folder} is in use by another Leadloom process. Stop it first, or set LEADLOOM_DATA to another folder.`;
  await withStore(async (engine) => {
    const file = await writeBackup(engine, folder);
    expect(run("main.ts")).toEqual({ status: 1, output: `leadloom · ${inUse}\n` });
    expect(run("db/restore.ts", file)).toEqual({ status: 1, output: `leadloom · nothing was changed: ${inUse}\n` });
    expect((await engine.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  });
});
