import { createFlag } from "./signal.ts";

/** Where this tab remembers the work on many leads that a person began. */
export const batchKey = (userId: string): string => `leadloom.bulk_batch.${userId}`;

/** Raised once work on many leads can be begun: its progress is to be seen on whatever screen. */
export const batchPossible = createFlag();
