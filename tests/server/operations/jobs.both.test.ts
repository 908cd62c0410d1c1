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
