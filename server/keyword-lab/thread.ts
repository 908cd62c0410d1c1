import { Worker } from "node:worker_threads";
import type { LabReport, LabRequest, LabStages } from "./worker.ts";

/** Matches keywords against messages on a worker thread. */
export type LabThread = {
  /** Resolves when the thread has processed a page. */
  read(page: Exclude<LabRequest, { kind: "finish" }>): Promise<void>;
  finish(): Promise<LabReport>;
  stop(): Promise<void>;
};

/** Starts the thread. If it ends early, the pending call rejects with the cause. */
export function startLabThread(stages: LabStages): LabThread {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: stages });
  const over = Promise.withResolvers<never>();
  over.promise.catch(() => {});
  let answer: ((report: LabReport | null) => void) | null = null;
  worker.on("message", (report: LabReport | null) => answer?.(report));
  worker.on("error", over.reject);
  worker.on("exit", () => over.reject(new Error("The keyword thread has ended.")));
  const ask = (request: LabRequest): Promise<LabReport | null> =>
    Promise.race([
      over.promise,
      new Promise<LabReport | null>((resolve) => {
        answer = resolve;
        worker.postMessage(request);
      }),
    ]);
  return {
    async read(page) {
      await ask(page);
    },
    async finish() {
      const report = await ask({ kind: "finish" });
      if (report === null) throw new Error("The keyword thread returned no report.");
      return report;
    },
    stop: async () => void (await worker.terminate()),
  };
}
