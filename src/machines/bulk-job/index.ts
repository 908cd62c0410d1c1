import { type BulkDeps, createBulkJobActors } from "./bulk-job.actors.ts";
import { bulkJobMachine } from "./bulk-job.machine.ts";

export type BulkJobDeps = BulkDeps & {
  /** Where the job outlives a reload, for this user alone. */
  jobMemory: { write(text: string): void; clear(): void };
  logger: { warn(what: string, error: unknown): void };
};

/** The bulk sender's chart over its outside parts. */
export const createBulkJob = ({ jobMemory, logger, ...deps }: BulkJobDeps) =>
  bulkJobMachine.provide({
    actors: createBulkJobActors(deps),
    actions: {
      rememberJob: (_, job) => jobMemory.write(JSON.stringify(job)),
      forgetRememberedJob: () => jobMemory.clear(),
      reportFailure: (_, { what, error }) => logger.warn(what, error),
    },
  });

export { BulkJobProvider, useBulkJob, useBulkJobEvents } from "./bulk-job.context.tsx";
export type { BulkGateway } from "./bulk-job.actors.ts";
export { type BulkJobRef, type BulkJobSnapshot, bulkJobMachine } from "./bulk-job.machine.ts";
export { type BulkResult, type Progress, type RememberedJob, readJob } from "./bulk-job.memory.ts";
export { BULK_TEXTS } from "./bulk-job.texts.ts";
export * from "./bulk-job.selectors.ts";
