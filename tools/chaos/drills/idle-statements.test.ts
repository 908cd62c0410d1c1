import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createQueryId } from "kysely";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { runNetwork } from "../../../sandbox/telegram/network.ts";
import { startAccountWork } from "../../../server/automation/index.ts";
import { createBus } from "../../../server/core/bus.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { readConfig } from "../../../server/core/config.ts";
import { createJobs } from "../../../server/core/jobs.ts";
import { openLanguages } from "../../../server/core/languages.ts";
import { openDatabase } from "../../../server/db/index.ts";
import { createWakes } from "../../../server/outbox/wakes.ts";
import { startAccountKeeper, telegramConnection } from "../../../server/telegram/index.ts";
import { writeAccounts } from "../../bench/scale/installation.ts";
import { testDatabase } from "../../../tests/support/database.ts";

const ACCOUNTS = 50;
const WATCHED_SECONDS = 60;
/** After this much time without other statements, the accounts have finished their own start-up queries. */
const QUIET_SECONDS = 20;
const TRIES = 20;
const STEP_MS = 500;
/** While accounts connect, virtual time runs no faster than their network calls. */
const REAL_PACE_MS = 20;
/** Round trips to the database after each step, so that the work of the step is done. */
const ROUND_TRIPS = 2;

/** The statements that a worker runs on its own, however many accounts it holds, and how often. */
const OWN = [
  { name: "renew the lease", text: /update public\.telegram_workers set lease_until/, everySeconds: 3 },
  { name: "held accounts", text: /from public\.telegram_sessions t where t\.lease_owner =/, everySeconds: 15 },
  { name: "accounts to hold", text: /array_agg\(most_accounts\)/, everySeconds: 15 },
  { name: "pending messages", text: /with recursive owners/, everySeconds: 5 },
];
/**
 * Replaces time by steps. Each step ends when the work it caused is done.
 * @param roundTrip resolves when the database has answered all earlier statements
 */
function ownTime(roundTrip: () => Promise<void>) {
  const sleep = setTimeout;
  let time = performance.now();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  // The clock advances on each read; otherwise the client library would wait forever for the next moment.
  vi.spyOn(performance, "now").mockImplementation(() => (time += 0.001));
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  return async (ms: number, sleepMs = 0): Promise<void> => {
    time += ms;
    await vi.advanceTimersByTimeAsync(ms);
    for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
      await roundTrip();
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (sleepMs > 0) await new Promise((resolve) => sleep(resolve, sleepMs));
  };
}

const nameOf = (text: string) => OWN.find((own) => own.text.test(text))?.name ?? text;

test("runs no more statements for fifty idle accounts than for one", { timeout: 600_000 }, async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-scale-"));
  const network = await runNetwork({ dir: path.join(dataDir, "sandbox"), clock: systemClock });
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  await writeAccounts(opened, dataDir, network, ACCOUNTS);
  const counts = new Map<string, number>();
  const db = opened.db.withPlugin({
    transformQuery({ node }) {
      const name = nameOf(opened.db.getExecutor().compileQuery(node, createQueryId()).sql);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const config = readConfig({ LEADLOOM_DATA: dataDir, LOG_LEVEL: "silent" });
  const logger = pino({ level: "silent" });
  const bus = await createBus(db, opened.engine, () => {});
  const step = ownTime(async () => void (await opened.engine.pool.query("select 1 as one where $1", [true])));
  const work = createWork();
  const jobs = createJobs({ engine: opened.engine, clock: systemClock, logger, work }, { runsWork: false });
  const deps = {
    config,
    db,
    engine: opened.engine,
    clock: systemClock,
    bus,
    jobs,
    languages: openLanguages(),
    logger,
    work,
  };
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
  const isReady = () =>
    keeper.held().length === ACCOUNTS && network.core.sessions.keysReceivingUpdates().size === ACCOUNTS;
  while (!isReady()) await step(REAL_PACE_MS, REAL_PACE_MS);
  const watch = async (seconds: number) => {
    counts.clear();
    for (let ms = 0; ms < seconds * 1_000; ms += STEP_MS) await step(STEP_MS);
    return new Map(counts);
  };
  const foreign = (found: Map<string, number>) =>
    [...found].filter(([name]) => !OWN.some((own) => own.name === name)).map(([name, times]) => `${times} × ${name}`);
  let starting = foreign(await watch(QUIET_SECONDS));
  for (let tries = 0; starting.length > 0 && tries < TRIES; tries += 1) starting = foreign(await watch(QUIET_SECONDS));
  expect(starting, "statements of accounts after their start").toEqual([]);
  const watched = await watch(WATCHED_SECONDS);
  expect(foreign(watched)).toEqual([]);
  for (const { name, everySeconds } of OWN) {
    expect(watched.get(name), name).toBeGreaterThan(0);
    expect(watched.get(name), name).toBeLessThanOrEqual(WATCHED_SECONDS / everySeconds + 1);
  }

  vi.useRealTimers();
  vi.restoreAllMocks();
  await keeper.stop();
  await wakes.stop();
  await network.close();
  await opened.close();
  await database.drop();
  fs.rmSync(dataDir, { recursive: true, force: true });
});
