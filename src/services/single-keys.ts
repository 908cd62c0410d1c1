import { createSignal } from "./signal.ts";
import type { SafeStorage } from "./storage.ts";

/**
 * Whether single-key shortcuts work, as the user chose in this browser; on by default. Speech input and accidental key presses can trigger
 * single keys, so users can switch them off.
 */
export function createSingleKeys(storage: SafeStorage, userId: string) {
  const key = `leadloom.single_keys.${userId}`;
  const { notify, listen } = createSignal();
  return {
    get: () => storage.get(key) !== "off",
    set(areOn: boolean) {
      if (areOn) storage.remove(key);
      else storage.set(key, "off");
      notify();
    },
    subscribe: listen,
  };
}
