/** Notifies its listeners of an event. */
export type Signal = { notify: () => void; listen: (listener: () => void) => () => void };

export function createSignal(): Signal {
  const listeners = new Set<() => void>();
  return {
    notify: () => listeners.forEach((listener) => listener()),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** True while at least one holder has raised it. */
export type Flag = { get: () => boolean; raise: () => () => void; listen: (listener: () => void) => () => void };

export function createFlag(): Flag {
  const { notify, listen } = createSignal();
  let count = 0;
  const change = (by: number) => {
    count += by;
    notify();
  };
  return {
    get: () => count > 0,
    raise() {
      change(1);
      return () => change(-1);
    },
    listen,
  };
}
