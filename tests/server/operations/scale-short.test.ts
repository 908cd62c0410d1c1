import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { runNetwork } from "../../../sandbox/telegram/network.ts";
import { startAccountWork } from "../../../server/automation/index.ts";
import { createBus } from "../../../server/core/bus.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { readConfig } from "../../../server/core/config.ts";
import { createJobs } from "../../../server/core/jobs.ts";
import { openDatabase } from "../../../server/db/index.ts";
import { createWakes } from "../../../server/outbox/index.ts";
import { startAccountKeeper, telegramConnection } from "../../../server/telegram/index.ts";
import { writeAccounts } from "../../bench/scale/installation.ts";
import { testDatabase } from "../../support/database.ts";
import { eventually } from "../../support/server.ts";

const ACCOUNTS = 50;
const WATCHED_MS = 10_000;
/** What a worker asks of its own accord in that time, whatever it holds: beats, a look at its accounts, looks at the queue. */
const OWN_STATEMENTS = 14;

test("fifty accounts held with nothing to send cost no more statements than one", async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-scale-"));
  const network = await runNetwork({ dir: path.join(dataDir, "sandbox"), clock: systemClock });
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  await writeAccounts(opened, dataDir, network, ACCOUNTS);
  let statements = 0;
  const db = opened.db.withPlugin({
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const config = readConfig({ LEADLOOM_DATA: dataDir, LOG_LEVEL: "silent" });
  const logger = pino({ level: "silent" });
  const bus = await createBus(db, opened.engine, () => {});
  const jobs = createJobs(opened.engine, logger, { runsWork: false });
  const deps = { config, db, engine: opened.engine, clock: systemClock, bus, jobs, logger };
  const { dcs, mainDcId } = network.world;
  const wakes = createWakes(deps);
  const keeper = await startAccountKeeper(deps, {
    connection: telegramConnection(config, { dcs, mainDcId, publicKeyPem: network.publicKeyPem }),
    onLeased: (account) => startAccountWork(deps, account, wakes, async () => false),
    onIncoming: async () => {},
    onEdited: async () => {},
    onDeleted: async () => {},
    onRead: async () => {},
  });
  await eventually(
    async () => keeper.held().length,
    (held) => held === ACCOUNTS,
    60_000,
  );
  const asked = async (ms: number) => {
    const from = statements;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return statements - from;
  };
  // What each account asks at its start ends by itself, on a slow machine later.
  while ((await asked(1_500)) > 4);
  let watched = await asked(WATCHED_MS);
  for (let again = 0; watched > OWN_STATEMENTS && again < 4; again += 1) watched = await asked(WATCHED_MS);
  expect(watched).toBeGreaterThan(0);
  expect(watched).toBeLessThanOrEqual(OWN_STATEMENTS);

  await keeper.stop();
  await wakes.stop();
  await network.close();
  await opened.close();
  await database.drop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});
