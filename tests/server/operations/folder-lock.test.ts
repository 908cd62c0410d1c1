import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockFolder } from "../../../server/db/folder-lock.ts";

test("lets one of two processes have a folder whose owner was killed", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-lock-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const killed = `require("node:net").createServer().listen(".lock.sock", () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", killed], { cwd: folder });
  expect(fs.readdirSync(folder)).toEqual([".lock.sock"]);
  const locks = await Promise.allSettled([lockFolder(folder), lockFolder(folder), lockFolder(folder)]);
  const held = locks.flatMap((lock) => (lock.status === "fulfilled" ? [lock.value] : []));
  expect(held).toHaveLength(1);
  await held[0]?.release();
  expect(fs.readdirSync(folder)).toEqual([]);
});
