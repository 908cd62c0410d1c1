/** Something that happens, for whoever listens. */
export type Signal = { tell: () => void; listen: (listener: () => void) => () => void };

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    tell: () => listeners.forEach((listener) => listener()),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
