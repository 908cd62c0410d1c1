/** Notifies its listeners of an event. */
export type Signal<Args extends unknown[] = []> = {
  notify: (...args: Args) => void;
  listen: (listener: (...args: Args) => void) => () => void;
};

export function createSignal<Args extends unknown[] = []>(): Signal<Args> {
  const listeners = new Set<(...args: Args) => void>();
  return {
    notify: (...args) => listeners.forEach((listener) => listener(...args)),
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
