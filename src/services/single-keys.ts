import type { SafeStorage } from "./storage.ts";

/** Whether keys without Ctrl or Alt act by themselves, as this person chose in this browser; they do until switched off. */
export type SingleKeys = {
  get: () => boolean;
  set: (areOn: boolean) => void;
  subscribe: (listener: () => void) => () => void;
};

/** Speech input and a hand that slips press single letters without meaning them: each person can switch them off. */
export function createSingleKeys(storage: SafeStorage, userId: string): SingleKeys {
  const key = `leadloom.single_keys.${userId}`;
  const listeners = new Set<() => void>();
  return {
    get: () => storage.get(key) !== "off",
    set(areOn) {
      if (areOn) storage.remove(key);
      else storage.set(key, "off");
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
