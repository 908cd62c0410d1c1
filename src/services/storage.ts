/** Stores text by key. Never throws: if the storage is full or forbidden, it falls back to memory for the life of the page. */
export type SafeStorage = {
  get: (key: string) => string | null;
  set: (key: string, value: string) => void;
  remove: (key: string) => void;
  /** Removes every entry whose key starts with the prefix. */
  removeAll: (prefix: string) => void;
};

/** Wraps localStorage or sessionStorage. `area` is called lazily because even naming a forbidden storage throws. */
export function createStorage(area: () => Storage): SafeStorage {
  const memory = new Map<string, string>();
  const attempt = <T>(work: (storage: Storage) => T): T | undefined => {
    try {
      return work(area());
    } catch {
      return undefined;
    }
  };
  const remove = (key: string) => {
    memory.delete(key);
    attempt((storage) => storage.removeItem(key));
  };
  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    set: (key, value) => {
      const isStored = attempt((storage) => {
        storage.setItem(key, value);
        return true;
      });
      if (isStored) memory.delete(key);
      else memory.set(key, value);
    },
    remove,
    removeAll(prefix) {
      const stored = attempt((storage) => Object.keys(storage)) ?? [];
      for (const key of [...memory.keys(), ...stored]) if (key.startsWith(prefix)) remove(key);
    },
  };
}
