import { createReporter } from "../kit/reporting.ts";
import { type BulkDeps, createBulkJobActors } from "./bulk-job.actors.ts";
import { bulkJobMachine } from "./bulk-job.machine.ts";

/** The bulk sender's chart over its outside parts. */
export const createBulkJob = (deps: BulkDeps) =>
  bulkJobMachine.provide({
    actors: createBulkJobActors(deps),
    actions: {
      rememberJob: (_, job) => deps.jobMemory.write(JSON.stringify(job)),
      forgetRememberedJob: () => deps.jobMemory.clear(),
      reportFailure: createReporter(deps.logger),
    },
  });

export { BulkJobProvider, useBulkJob, useBulkJobEvents, useCanBulkJob } from "./bulk-job.context.tsx";
export type { BulkDeps, BulkGateway, Reached } from "./bulk-job.actors.ts";
export { bulkJobMachine } from "./bulk-job.machine.ts";
export { type BulkResult, type Progress, type RememberedJob, readJob } from "./bulk-job.memory.ts";
export { BULK_TEXTS, NONE_CHOSEN, tooLongText, whomText } from "./bulk-job.texts.ts";
export * from "./bulk-job.selectors.ts";
