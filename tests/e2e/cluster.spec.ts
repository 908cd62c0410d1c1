import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { startPostgres } from "../../scripts/postgres.mjs";
import { freePort } from "../support/ports.ts";

test("starts on another address, with variables from files, and stops cleanly", async () => {
  test.skip(process.platform !== "linux", "Only Linux has 127.0.0.2.");
  const postgres = await startPostgres();
  test.skip(postgres === null, "There is no Postgres.");
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-cluster-"));
  const fileWith = (name: string, value: string) => {
    fs.writeFileSync(path.join(folder, name), value);
    return path.join(folder, name);
  };
  const { DATABASE_URL: _database, PUBLIC_URL: _public, ...inherited } = process.env;
  const cluster = spawn(process.execPath, ["scripts/cluster.mjs", "--web", "1", "--worker", "0"], {
    env: {
      ...inherited,
      HOST: "127.0.0.2",
      PORT: String(await freePort()),
      LEADLOOM_DATA: folder,
      DATABASE_URL_FILE: fileWith("database-url", postgres?.url ?? ""),
      PUBLIC_URL_FILE: fileWith("public-url", "https://crm.example.com"),
    },
  });
  const ended = once(cluster, "exit");
  let output = "";
  for (const stream of [cluster.stdout, cluster.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  try {
    await expect.poll(() => output, { timeout: 120_000 }).toContain("the cluster is ready");
    expect(output).toContain("open https://crm.example.com\n");
    cluster.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  } finally {
    cluster.kill("SIGTERM");
    await ended;
    postgres?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
