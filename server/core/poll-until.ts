import type { Deps } from "./deps.ts";

/**
 * Polls until `ask` returns a value: at once, after each notification, and every `everyMs` because notifications may be lost.
 * @param options.onNews subscribes to the notifications; returns how to unsubscribe
 * @returns null when `ask` returned no value within `withinMs`
 */
export async function pollUntil<T>(
  { clock, work }: Pick<Deps, "clock" | "work">,
  ask: () => Promise<T | null>,
  options: { onNews: (look: () => void) => () => void; everyMs: number; withinMs: number },
): Promise<T | null> {
  const end = clock.monotonic() + options.withinMs;
  let isNews = false;
  let wake = () => {};
  const off = options.onNews(() => {
    isNews = true;
    wake();
  });
  const untilNews = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  try {
    for (;;) {
      isNews = false;
      const answer = await ask();
      if (answer !== null) return answer;
      const left = end - clock.monotonic();
      if (left <= 0) return null;
      if (!isNews) await work.pauseFor(untilNews(Math.min(options.everyMs, left)));
    }
  } finally {
    off();
  }
}
