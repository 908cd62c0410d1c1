import { createSignal } from "./signal.ts";
import type { SafeStorage } from "./storage.ts";

/** Whether single-key shortcuts work, as the user chose in this browser; on by default. */
export type SingleKeys = {
  get: () => boolean;
  set: (areOn: boolean) => void;
  subscribe: (listener: () => void) => () => void;
};

/** Speech input and slips of the hand can press single keys, so users can switch them off. */
export function createSingleKeys(storage: SafeStorage, userId: string): SingleKeys {
  const key = `leadloom.single_keys.${userId}`;
  const { notify, listen } = createSignal();
  return {
    get: () => storage.get(key) !== "off",
    set(areOn) {
      if (areOn) storage.remove(key);
      else storage.set(key, "off");
      notify();
    },
    subscribe: listen,
  };
}
