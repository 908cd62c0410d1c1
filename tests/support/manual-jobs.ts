import type { createJobs, Jobs } from "../../server/core/jobs.ts";

/** Scheduled jobs that run only when a test or the product itself triggers one, so that no test depends on the current minute. */
export const createManualJobs: typeof createJobs = ({ clock, logger, work }, { onRun }) => {
  const scheduled = new Map<string, () => Promise<void>>();
  const run = async (name: string, job: () => Promise<void>): Promise<void> => {
    const startedAt = clock.monotonic();
    const succeeded = await job().then(
      () => true,
      (error: unknown) => {
        logger.error({ err: error, job: name }, "scheduled work failed");
        return false;
      },
    );
    onRun?.(name, succeeded, (clock.monotonic() - startedAt) / 1000);
  };
  const trigger: Jobs["trigger"] = async (name) => {
    const job = scheduled.get(name);
    if (job === undefined) throw new Error(`There is no job ${name}.`);
    void work.track(`job ${name}`, run(name, job));
  };
  return {
    schedule: (name, _cron, job) => void scheduled.set(name, job),
    trigger,
    start: async () => {},
    stop: async () => {},
  };
};
