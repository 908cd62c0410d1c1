import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startTelegram } from "../../../tests/server/telegram/support.ts";
import { waitFor } from "../../../tests/support/waiting.ts";
import { isRealPostgres } from "../../../tests/support/database.ts";

const ROUNDS = Number(process.env["WORKER_CRASHES"] ?? 1);
const PHONE = "+4915112345678";
const script = fileURLToPath(new URL("worker-process.ts", import.meta.url));

type Worker = { child: ChildProcess; holds: Set<string>; received: number };

function startWorker(env: Record<string, string>): Promise<Worker> {
  const child = spawn(process.execPath, [script], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const worker: Worker = { child, holds: new Set(), received: 0 };
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [word, accountId = ""] = line.split(" ");
      if (word === "ready") resolve(worker);
      else if (word === "holds") worker.holds.add(accountId);
      else if (word === "left") worker.holds.delete(accountId);
      else worker.received += 1;
    });
  });
}

test.skipIf(!isRealPostgres)(
  "replaces a killed worker, and receives messages missed in between",
  { timeout: 60_000 + ROUNDS * 30_000 },
  async () => {
    const telegram = await startTelegram();
    const user = await telegram.newUser();
    expect(await telegram.connect(user, PHONE)).toMatchObject({ status: 200 });
    const env = {
      LEADLOOM_DATA: telegram.dataDir,
      DATABASE_URL: telegram.databaseUrl ?? "",
      NETWORK: JSON.stringify(telegram.network.connection),
    };
    const workers = [await startWorker(env), await startWorker(env)];
    const holders = () => workers.filter(({ holds }) => holds.size > 0);
    const took: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await waitFor(() => expect(holders()).toHaveLength(1));
      const [victim] = holders();
      if (victim === undefined) throw new Error("no worker holds the account");
      const startedAt = performance.now();
      victim.child.kill("SIGKILL");
      victim.holds.clear();
      telegram.network.receive(PHONE, { from: { first_name: "Anna" }, text: `round ${round}` });
      const before = workers.reduce((sum, { received }) => sum + received, 0);
      await waitFor(() => expect(workers.reduce((sum, { received }) => sum + received, 0)).toBeGreaterThan(before));
      took.push(performance.now() - startedAt);
      expect(holders()).toHaveLength(1);
      workers.push(await startWorker(env));
    }
    if (process.env["WORKER_CRASHES"] !== undefined)
      console.info("from kill to the next message heard, ms:", took.map(Math.round));
    expect(took).toHaveLength(ROUNDS);
  },
);
