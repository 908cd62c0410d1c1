/** The clock may be moved: a wait is slept in pieces. */
const LONGEST_SLEEP_MS = 1_000;

/** Resolves when the clock says so. @throws the signal's reason when it aborts */
export async function waitUntil(clock: { now(): number }, time: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const left = time - clock.now();
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
