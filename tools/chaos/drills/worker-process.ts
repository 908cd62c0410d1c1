import { pino } from "pino";
import { createWork } from "../../../server/core/work.ts";
import { createBus } from "../../../server/core/bus.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { readConfig } from "../../../server/core/config.ts";
import { createJobs } from "../../../server/core/jobs.ts";
import { openDatabase } from "../../../server/db/index.ts";
import { startAccountKeeper, telegramConnection, type NetworkAddress } from "../../../server/telegram/index.ts";

// A worker process for the tests: holds accounts, and prints a line for each one it takes and releases, until it is killed.
const config = readConfig(process.env);
const opened = await openDatabase({ kind: "postgres", url: process.env["DATABASE_URL"] ?? "" });
const logger = pino({ level: "silent" });
const bus = await createBus(opened.db, opened.engine, () => {});
const shared = { ...opened, clock: systemClock, logger, work: createWork() };
const jobs = createJobs(shared, { runsWork: false });
const connection = telegramConnection(config, JSON.parse(process.env["NETWORK"] ?? "") as NetworkAddress);
const print = (word: string, accountId: string) => process.stdout.write(`${word} ${accountId}\n`);

const keeper = await startAccountKeeper(
  { ...shared, config, bus, jobs },
  {
    connection,
    onLeased: async ({ accountId, signal }) => {
      print("holds", accountId);
      signal.addEventListener("abort", () => print("left", accountId));
      if (process.env["HOLD_CLAIM"] === "1") void holdClaim(accountId);
      return { stop: async () => {} };
    },
    onIncoming: async ([{ accountId }]) => void print("heard", accountId),
    onEdited: async () => {},
    onDeleted: async () => {},
    onRead: async () => {},
  },
);
/** Simulates a pending claim: locks the account's row in a transaction that never ends. */
const holdClaim = (accountId: string) =>
  opened.db.transaction().execute(async (tx) => {
    await tx.selectFrom("telegram_sessions").select("id").where("id", "=", accountId).forUpdate().execute();
    print("claims", accountId);
    await new Promise(() => {});
  });
process.on("SIGTERM", () => {
  void keeper.stop().then(() => process.exit(0));
});
print("ready", "-");
