import { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { Engine } from "../db/index.ts";
import type { Cancel, Clock } from "./clock.ts";
import type { ProcessWork } from "./work.ts";

export type Jobs = {
  /** Runs `work` once a minute, hour … over all worker processes (cron, UTC). Failures are logged; the next run tries again. */
  schedule(name: string, cron: string, work: () => Promise<void>): void;
  /** Runs a scheduled job now: on this process if it is a worker, otherwise within seconds on another if it runs every minute. */
  trigger(name: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** Polling interval for triggered jobs and those that run every minute. The rest may start half a minute late. */
const LOOK_SECONDS = { everyMinute: 2, seldom: 30 };
/** pg-boss passes back what `setTimeout` returned. */
const cancel = (timer: unknown): void => (timer as Cancel | null | undefined)?.();
const isEveryMinute = (cron: string): boolean => cron.startsWith("* ");

/** Scheduled jobs on pg-boss, in the same database. Jobs only start the work; the tables say what is due. */
export function createJobs(
  { engine, clock, logger, work: processWork }: { engine: Engine; clock: Clock; logger: Logger; work: ProcessWork },
  options: { runsWork: boolean; onRun?: (name: string, succeeded: boolean, seconds: number) => void },
): Jobs {
  const boss = new PgBoss({
    db: {
      // Passed on unchanged: several statements return a list of results, which pg-boss reads itself.
      executeSql: (text: string, values?: unknown[]) => engine.pool.query(text, values),
    },
    ...(engine.kind === "pglite" ? { backend: "pglite" as const } : {}),
    schema: "pgboss",
    clock: {
      now: clock.wall,
      setTimeout: (run, ms) => clock.after(ms, run),
      setInterval: (run, ms) => clock.every(ms, run),
      clearTimeout: cancel,
      clearInterval: cancel,
    },
    cronMonitorIntervalSeconds: 15,
    cronWorkerIntervalSeconds: 5,
  });
  boss.on("error", (error) => logger.error({ err: error }, "job queue"));
  const scheduled: { name: string; cron: string; work: () => Promise<void> }[] = [];
  /** pg-boss's workers by queue, and the queues with a job that was triggered and has not run here yet */
  const workers = new Map<string, string>();
  const triggered = new Set<string>();
  let started = false;
  let starting: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    await boss.start();
    for (const { name, cron, work } of scheduled) {
      await boss.createQueue(name, { policy: "short", retryLimit: 0, expireInSeconds: 600 });
      if (!options.runsWork) continue;
      await boss.schedule(name, cron, {}, { tz: "UTC" });
      const pollingIntervalSeconds = isEveryMinute(cron) ? LOOK_SECONDS.everyMinute : LOOK_SECONDS.seldom;
      const worker = await boss.work(name, { pollingIntervalSeconds }, async () => {
        const startedAt = clock.monotonic();
        const succeeded = await processWork.track(`job ${name}`, work()).then(
          () => true,
          (error: unknown) => {
            logger.error({ err: error, job: name }, "scheduled work failed");
            return false;
          },
        );
        options.onRun?.(name, succeeded, (clock.monotonic() - startedAt) / 1000);
      });
      workers.set(name, worker);
    }
    started = true;
  };
  const hasTriggered = async (): Promise<boolean> => {
    if (triggered.size === 0) return false;
    const names = [...triggered];
    const { rows } = await engine.pool.query<{ name: string }>(
      "select name from pgboss.job where name = any($1) and state in ('created', 'active')",
      [names],
    );
    for (const name of names) if (!rows.some((row) => row.name === name)) triggered.delete(name);
    return rows.length > 0;
  };
  processWork.watch(async () => !(await hasTriggered()));
  return {
    schedule(name, cron, work) {
      scheduled.push({ name, cron, work });
    },
    async trigger(name) {
      if (!started) return;
      await boss.send(name, {}, { singletonKey: name });
      const worker = workers.get(name);
      if (worker === undefined) return;
      triggered.add(name);
      boss.notifyWorker(worker);
    },
    start: () => (starting ??= begin()),
    async stop() {
      if (starting === null) return;
      // A failed start leaves timers and polls behind too.
      await starting.catch(() => {});
      started = false;
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}
