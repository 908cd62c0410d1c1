import { pino } from "pino";
import { expect, test } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { createJobs } from "../../../server/core/jobs.ts";
import { openDatabase } from "../../../server/db/index.ts";
import { testDatabase } from "../../support/database.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const A_DAY_MS = 86_400_000;

test("stops a half-started queue without further queries", async () => {
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  // Queries count as work, so virtual time waits for them.
  const work = createWork();
  const clock = createVirtualClock(work);
  let queries = 0;
  const pool = {
    ...opened.engine.pool,
    query: ((...given: Parameters<typeof opened.engine.pool.query>) => {
      queries += 1;
      return work.track("query", opened.engine.pool.query(...given));
    }) as typeof opened.engine.pool.query,
  };
  const jobs = createJobs(
    { engine: { ...opened.engine, pool }, clock, logger: pino({ level: "silent" }), work },
    { runsWork: true },
  );
  jobs.schedule("whole", "* * * * *", async () => {});
  jobs.schedule("broken", "not a time", async () => {});
  await expect(jobs.start()).rejects.toThrow("Invalid characters");
  await jobs.stop();
  queries = 0;
  await clock.pass(A_DAY_MS);
  expect(queries).toBe(0);
  await opened.close();
  await database.drop();
});
