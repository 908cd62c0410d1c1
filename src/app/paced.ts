/** The same listener, called at once and then at most once in so many milliseconds, the last time after the last call. */
export function paced(listener: () => void, everyMs: number): { tell: () => void; end: () => void } {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isMissed = false;
  const rest = () => {
    timer = setTimeout(() => {
      timer = null;
      if (isMissed) tell();
    }, everyMs);
  };
  const tell = () => {
    isMissed = timer !== null;
    if (isMissed) return;
    rest();
    listener();
  };
  return {
    tell,
    end: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
