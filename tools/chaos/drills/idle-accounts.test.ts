import { spawn } from "node:child_process";
import fs from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startTelegram } from "../../../tests/server/telegram/support.ts";
import { waitFor } from "../../../tests/support/waiting.ts";
import { isRealPostgres } from "../../../tests/support/database.ts";

const ACCOUNTS = Number(process.env["IDLE_ACCOUNTS"] ?? 0);
const script = fileURLToPath(new URL("worker-process.ts", import.meta.url));
const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

test.skipIf(ACCOUNTS === 0 || !isRealPostgres)(
  "holds many idle accounts in one worker",
  { timeout: 600_000 },
  async () => {
    const telegram = await startTelegram();
    const env = {
      PATH: process.env["PATH"] ?? "",
      LEADLOOM_DATA: telegram.dataDir,
      DATABASE_URL: telegram.databaseUrl ?? "",
      NETWORK: JSON.stringify(telegram.network.connection),
    };
    const child = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
    await waitFor(() => expect(lines).toContain("ready -"));
    const empty = residentMegabytes(child.pid ?? 0);
    for (let account = 0; account < ACCOUNTS; account += 1) {
      const user = await telegram.newUser();
      expect(await telegram.connect(user, `+4915170${String(account).padStart(6, "0")}`)).toMatchObject({
        status: 200,
      });
    }
    await waitFor(() => expect(lines.filter((line) => line.startsWith("holds"))).toHaveLength(ACCOUNTS), 120_000);
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    const full = residentMegabytes(child.pid ?? 0);
    console.info(
      `worker: ${Math.round(empty)} MB empty, ${Math.round(full)} MB with ${ACCOUNTS} accounts, ${Math.round(((full - empty) / ACCOUNTS) * 1024)} KB each`,
    );
    expect(lines.filter((line) => line.startsWith("left"))).toEqual([]);
  },
);
