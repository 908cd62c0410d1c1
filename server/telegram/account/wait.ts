/** The clock may be moved: a wait is slept in pieces. */
const LONGEST_SLEEP_MS = 1_000;

/** Resolves when the clock says so, or when as much time has passed as that was away: it may have been set back. @throws the signal's reason when it aborts */
export async function waitUntil(clock: { now(): number }, time: number, signal: AbortSignal): Promise<void> {
  const last = performance.now() + time - clock.now();
  for (;;) {
    signal.throwIfAborted();
    const left = Math.min(time - clock.now(), last - performance.now());
    if (left <= 0) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(left, LONGEST_SLEEP_MS));
      signal.addEventListener("abort", done);
    });
  }
}
