export { registerBatch } from "./routes.ts";
export { startBatchWorker } from "./worker.ts";
