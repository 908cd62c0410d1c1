import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { listBackups } from "../../../server/db/backup.ts";
import { openHouse } from "../house.ts";
import { Seller, until } from "../seller.ts";

const LEADS = 30;

test("restores a backup made before a key rotation, without duplicate messages", { timeout: 180_000 }, async () => {
  const [one, two] = [1, 2].map((version) => `${version}:${randomBytes(32).toString("base64")}`);
  const both = `${one},${two}`;
  const house = await openHouse({ databaseUrl: null, workers: 0, env: { ENCRYPTION_KEYS: one ?? "" } });
  const command = (file: string, keys: string, ...args: string[]) => {
    const env = { PATH: process.env["PATH"], LEADLOOM_DATA: house.folder, ENCRYPTION_KEYS: keys };
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { env, encoding: "utf8" });
    return { status, output: stdout.trim() + stderr.trim() };
  };
  const rotated = {
    status: 0,
    output: expect.stringMatching(/^[1-9]\d* session keys are now sealed under version 2\.$/),
  };
  try {
    const seller = await Seller.join(house, 1);
    await seller.meetPeople(LEADS);
    await seller.startBulk("Rotation");
    const sent = async () => (await seller.delivered()).filter(({ text }) => text === "Rotation");
    await until(async () => (await sent()).length >= 5, "the first messages");
    expect(command("server/db/backup-now.ts", one ?? "").status).toBe(0);
    const backup = listBackups(house.folder)[0] ?? "";
    await until(async () => (await sent()).length >= 12, "messages after the backup");
    await house.web.kill();

    fs.rmSync(path.join(house.folder, "postgres"), { recursive: true });
    expect(command("server/db/restore.ts", two ?? "", backup)).toMatchObject({ status: 0 });
    // The backup's sessions are encrypted with the old key, which is needed once more.
    expect(command("server/telegram/rotate-keys.ts", two ?? "")).toEqual({
      status: 1,
      output: expect.stringContaining("ENCRYPTION_KEYS lacks version 1, which sealed a stored secret."),
    });
    expect(command("server/telegram/rotate-keys.ts", both)).toEqual(rotated);
    house.web.start({ ENCRYPTION_KEYS: two ?? "" });
    await house.web.ready();
    await until(async () => (await seller.job()).status === "completed", "the end of the bulk job");
    const everything = await sent();
    expect(new Set(everything.map(({ to_user_id: id }) => id)).size).toBe(LEADS);
    expect(everything).toHaveLength(LEADS);
    expect(await seller.isConnected()).toBe(true);
  } finally {
    await house.close();
  }
});
