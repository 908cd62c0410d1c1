import { createFlag } from "./signal.ts";
import type { SafeStorage } from "../services/storage.ts";

/** Where this tab remembers the work on many leads that a person began. */
export const batchKey = (userId: string): string => `leadloom.bulk_batch.${userId}`;

/** Raised once work on many leads can be begun: its progress is to be seen on whatever screen. */
export const batchPossible = createFlag();

/** Where this browser remembers since when a person's dry run has been on. */
export const dryRunKey = (userId: string): string => `leadloom.dry_run_since.${userId}`;

/** Where this browser remembers since when a user's Telegram session has been lost. */
export const lostSessionKey = (userId: string): string => `leadloom.telegram_lost_since.${userId}`;

/** How many saved views the menu showed last, so that their place is kept until they are read. */
export const savedViewCount = (storage: SafeStorage, userId: string) => {
  const key = `leadloom.saved_views.${userId}`;
  return {
    get: (): number => Number(storage.get(key) ?? 0) || 0,
    set: (count: number): void => (count === 0 ? storage.remove(key) : storage.set(key, String(count))),
  };
};
