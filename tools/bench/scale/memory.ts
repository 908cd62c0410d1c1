import fs from "node:fs";
import { pause } from "./installation.ts";
import { atMost, type Topic } from "./topic.ts";

const SETTLE_MS = 20_000;
const residentKilobytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

/** The memory of a worker per held idle account. */
export const memory: Topic = {
  name: "memory",
  async measure({ accounts, installation, print }) {
    // A limit of one account loads everything that accounts share.
    const small = await installation.startWorker({ WORKER_MAX_ACCOUNTS: "1" });
    await pause(SETTLE_MS);
    const before = residentKilobytes(small.pid);
    await small.stop();
    const worker = await installation.startWorker();
    await installation.allHeld();
    await pause(SETTLE_MS);
    const after = residentKilobytes(worker.pid);
    print(`  ${Math.round(before / 1024)} MB with one account, ${Math.round(after / 1024)} MB with ${accounts}`);
    return [atMost("resident memory of a held idle account", (after - before) / (accounts - 1), 300, "KB")];
  },
};
