/** The same listener, called at once and then at most once in so many milliseconds, the last time after and with the last call. */
export function paced<Args extends unknown[]>(
  listener: (...args: Args) => void,
  everyMs: number,
): { tell: (...args: Args) => void; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let missed: Args | null = null;
  const rest = () => {
    timer = setTimeout(() => {
      timer = null;
      if (missed !== null) tell(...missed);
    }, everyMs);
  };
  const tell = (...args: Args) => {
    missed = timer === null ? null : args;
    if (missed !== null) return;
    rest();
    listener(...args);
  };
  return {
    tell,
    end: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
