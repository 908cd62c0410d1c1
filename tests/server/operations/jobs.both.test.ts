import { pino } from "pino";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { createJobs } from "../../../server/core/jobs.ts";
import { openDatabase } from "../../../server/db/index.ts";
import { testDatabase } from "../../support/database.ts";
import { stopSharedServers } from "../../support/servers.ts";

beforeAll(stopSharedServers);

const A_DAY_MS = 86_400_000;

test("a queue of which half had started asks the database nothing any more once it is stopped", async () => {
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  let asked = 0;
  const pool = {
    ...opened.engine.pool,
    query: ((...given: Parameters<typeof opened.engine.pool.query>) => {
      asked += 1;
      return opened.engine.pool.query(...given);
    }) as typeof opened.engine.pool.query,
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const jobs = createJobs(
    { engine: { ...opened.engine, pool }, clock: systemClock, logger: pino({ level: "silent" }), work: createWork() },
    { runsWork: true },
  );
  jobs.schedule("whole", "* * * * *", async () => {});
  jobs.schedule("broken", "not a time", async () => {});
  await expect(jobs.start()).rejects.toThrow("Invalid characters");
  await jobs.stop();
  asked = 0;
  await vi.advanceTimersByTimeAsync(A_DAY_MS);
  expect(asked).toBe(0);
  await opened.close();
  await database.drop();
});

test("what runs by night is looked for twice a minute, what runs every minute at once", async () => {
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  const looks = new Map<string, number>();
  const pool = {
    ...opened.engine.pool,
    query: ((text: string, values?: unknown[]) => {
      const [, queue] = /with\s+next\s+as\b.*?\bj\.name = '(\w+)'/is.exec(text) ?? [];
      if (queue !== undefined) looks.set(queue, (looks.get(queue) ?? 0) + 1);
      return opened.engine.pool.query(text, values);
    }) as typeof opened.engine.pool.query,
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const jobs = createJobs(
    { engine: { ...opened.engine, pool }, clock: systemClock, logger: pino({ level: "silent" }), work: createWork() },
    { runsWork: true },
  );
  jobs.schedule("often", "* * * * *", async () => {});
  jobs.schedule("nightly", "17 3 * * *", async () => {});
  await jobs.start();
  looks.clear();
  for (let second = 0; second < 120; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    await opened.engine.pool.query("select 1 as one where $1", [true]);
  }
  expect(looks.get("nightly")).toBeLessThanOrEqual(5);
  expect(looks.get("often")).toBeGreaterThan(20);
  await jobs.stop();
  await opened.close();
  await database.drop();
});
