/** A clock that stands still until it is moved, so that every pause is exact. */
export function standingClock() {
  let time = Date.now();
  const listeners = new Set<() => void>();
  return {
    now: () => time,
    iso: () => new Date(time).toISOString(),
    advance(seconds: number): void {
      time += seconds * 1000;
      listeners.forEach((listener) => listener());
    },
    onMove(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
