import type { Logger } from "pino";
import { PgBoss } from "pg-boss";
import type { Engine } from "../db/index.ts";

export type Jobs = {
  /** Runs `work` once a minute, hour … over all worker processes (cron, UTC). Failures are logged and tried at the next time. */
  schedule(name: string, cron: string, work: () => Promise<void>): void;
  /** Runs a job that is scheduled for every minute now, on one of the workers; any other one within half a minute. */
  trigger(name: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** What runs every minute is looked for this often, as is what is triggered; the rest may begin half a minute late. */
const LOOK_SECONDS = { everyMinute: 2, seldom: 30 };
const isEveryMinute = (cron: string): boolean => cron.startsWith("* ");

/** Scheduled work on pg-boss, on the same database. It only wakes the work; the tables say what there is to do. */
export function createJobs(
  engine: Engine,
  logger: Logger,
  options: { runsWork: boolean; onRun?: (name: string, succeeded: boolean, seconds: number) => void },
): Jobs {
  const boss = new PgBoss({
    db: {
      // As it comes: a text of several statements is answered with a list, which pg-boss reads itself.
      executeSql: (text: string, values?: unknown[]) => engine.pool.query(text, values),
    },
    ...(engine.kind === "pglite" ? { backend: "pglite" as const } : {}),
    schema: "pgboss",
    cronMonitorIntervalSeconds: 15,
    cronWorkerIntervalSeconds: 5,
  });
  boss.on("error", (error) => logger.error({ err: error }, "job queue"));
  const scheduled: { name: string; cron: string; work: () => Promise<void> }[] = [];
  let started = false;
  let starting: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    await boss.start();
    for (const { name, cron, work } of scheduled) {
      await boss.createQueue(name, { policy: "short", retryLimit: 0, expireInSeconds: 600 });
      if (!options.runsWork) continue;
      await boss.schedule(name, cron, {}, { tz: "UTC" });
      const pollingIntervalSeconds = isEveryMinute(cron) ? LOOK_SECONDS.everyMinute : LOOK_SECONDS.seldom;
      await boss.work(name, { pollingIntervalSeconds }, async () => {
        const startedAt = performance.now();
        const succeeded = await work().then(
          () => true,
          (error: unknown) => {
            logger.error({ err: error, job: name }, "scheduled work failed");
            return false;
          },
        );
        options.onRun?.(name, succeeded, (performance.now() - startedAt) / 1000);
      });
    }
    started = true;
  };
  return {
    schedule(name, cron, work) {
      scheduled.push({ name, cron, work });
    },
    async trigger(name) {
      if (started) await boss.send(name, {}, { singletonKey: name });
    },
    start: () => (starting ??= begin()),
    async stop() {
      if (starting === null) return;
      // Half a start leaves timers and polls behind as a whole one does.
      await starting.catch(() => {});
      started = false;
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}
