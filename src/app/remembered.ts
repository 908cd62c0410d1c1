import { createFlag } from "../services/signal.ts";
import type { SafeStorage } from "../services/storage.ts";

export const batchKey = (userId: string): string => `leadloom.bulk_batch.${userId}`;

export const batchPossible = createFlag();

export const dryRunKey = (userId: string): string => `leadloom.dry_run_since.${userId}`;

export const lostSessionKey = (userId: string): string => `leadloom.telegram_lost_since.${userId}`;

/** How many saved views the menu showed last, to reserve their space. */
export const savedViewCount = (storage: SafeStorage, userId: string) => {
  const key = `leadloom.saved_views.${userId}`;
  return {
    get: (): number => Number(storage.get(key) ?? 0) || 0,
    set: (count: number): void => (count === 0 ? storage.remove(key) : storage.set(key, String(count))),
  };
};
