import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { listBackups } from "../../../server/db/backup.ts";
import { openDatabase, type DatabaseOptions } from "../../../server/db/index.ts";
import { openHouse } from "../house.ts";
import { tableChecksums } from "../../../tests/support/checksums.ts";
import { Seller, until } from "../seller.ts";

/** Runs one of the commands on a data folder; returns its last line and its exit status. */
const command = (name: string, folder: string, ...args: string[]) => {
  const { status, stdout } = spawnSync(process.execPath, [`server/db/${name}.ts`, ...args], {
    env: { PATH: process.env["PATH"], LEADLOOM_DATA: folder },
    encoding: "utf8",
  });
  return { status, lines: stdout.trim().split("\n") };
};

/** Returns row count and checksum of every table, except the boot marks of the open store. */
async function contents(options: DatabaseOptions): Promise<Record<string, string>> {
  const { engine, close } = await openDatabase(options);
  try {
    return await tableChecksums(engine);
  } finally {
    await close();
  }
}
test(
  "restores every row from a backup made during a bulk message, without duplicate messages",
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
