import type { SafeStorage } from "../services/storage.ts";

/** How many saved views the menu showed last, so that their place is kept until they are read. */
export const savedViewCount = (storage: SafeStorage, userId: string) => {
  const key = `leadloom.saved_views.${userId}`;
  return {
    get: (): number => Number(storage.get(key) ?? 0) || 0,
    set: (count: number): void => (count === 0 ? storage.remove(key) : storage.set(key, String(count))),
  };
};
