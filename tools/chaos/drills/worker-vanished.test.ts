import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startCutProxy } from "../../../tests/support/cut-proxy.ts";
import { startTelegram } from "../../../tests/server/telegram/support.ts";
import { waitFor } from "../../../tests/support/waiting.ts";
import { isRealPostgres } from "../../../tests/support/database.ts";

const script = fileURLToPath(new URL("worker-process.ts", import.meta.url));

async function startWorker(env: Record<string, string>): Promise<{ child: ChildProcess; lines: string[] }> {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  await waitFor(() => expect(lines).toContain("ready -"));
  return { child, lines };
}

test.skipIf(!isRealPostgres)("replaces a worker whose host disappears during a claim", async () => {
  const telegram = await startTelegram();
  const direct = new URL(telegram.databaseUrl ?? "");
  const proxy = await startCutProxy({ host: direct.hostname, port: Number(direct.port) });
  onTestFinished(() => proxy.close());
  const behind = new URL(direct);
  behind.host = `127.0.0.1:${proxy.port}`;
  const env = { LEADLOOM_DATA: telegram.dataDir, NETWORK: JSON.stringify(telegram.network.connection) };
  const user = await telegram.newUser();
  await telegram.connect(user, "+4915117000001");
  const vanishing = await startWorker({ ...env, DATABASE_URL: behind.href, HOLD_CLAIM: "1" });
  await waitFor(() => expect(vanishing.lines.join("\n")).toMatch(/^claims/m));
  const other = await startWorker({ ...env, DATABASE_URL: direct.href });
  expect(other.lines).toEqual(["ready -"]);
  vanishing.child.kill("SIGSTOP");
  proxy.cut();
  const from = performance.now();
  await waitFor(() => expect(other.lines.join("\n")).toMatch(/^holds/m), 60_000);
  if (process.env["WORKER_CRASHES"] !== undefined) console.info("taken over after ms:", performance.now() - from);
});
