import { createMachineContext } from "../kit/context.tsx";
import { bulkJobMachine } from "./bulk-job.machine.ts";

const BulkJob = createMachineContext(bulkJobMachine, (bulk) => ({
  retryReading: () => bulk.send({ type: "reading.retry" }),
  chooseStage: (stageId: string) => bulk.send({ type: "stage.choose", stageId }),
  /** Tells whether the file was taken. */
  chooseMedia: (file: File | null): boolean => {
    bulk.send({ type: "media.choose", file });
    return bulk.getSnapshot().context.media === file;
  },
  sendMessage: (message: string, throttle: string) => bulk.send({ type: "message.send", message, throttle }),
  recheckJob: () => bulk.send({ type: "job.recheck" }),
  continueJob: () => bulk.send({ type: "job.continue" }),
  cancelJob: () => bulk.send({ type: "job.cancel" }),
}));

export const BulkJobProvider = BulkJob.Provider;
export const useBulkJob = BulkJob.use;
/** What a person can do on the bulk sender's screen. */
export const useBulkJobEvents = BulkJob.useVerbs;
export const useCanBulkJob = BulkJob.useCan;
