import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { bulkJobMachine } from "./bulk-job.machine.ts";

const BulkJob = createActorContext(bulkJobMachine);

export const BulkJobProvider = BulkJob.Provider;
export const useBulkJob = BulkJob.useSelector;

/** What a person can do on the bulk sender's screen. */
export function useBulkJobEvents() {
  const bulk = BulkJob.useActorRef();
  return useMemo(
    () => ({
      chooseStage: (stageId: string) => bulk.send({ type: "stage.choose", stageId }),
      /** Tells whether the file was taken. */
      chooseMedia: (file: File | null): boolean => {
        bulk.send({ type: "media.choose", file });
        return bulk.getSnapshot().context.media === file;
      },
      sendMessage: (message: string, throttle: string) => bulk.send({ type: "message.send", message, throttle }),
      recheckJob: () => bulk.send({ type: "job.recheck" }),
      cancelJob: () => bulk.send({ type: "job.cancel" }),
    }),
    [bulk],
  );
}
