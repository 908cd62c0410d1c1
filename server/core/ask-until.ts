import type { Deps } from "./deps.ts";

/**
 * Asks until there is an answer: at once, on news of one, and every `everyMs` because a notification may be lost.
 * @param options.onNews subscribes to the news; returns how to unsubscribe
 * @returns null when there is no answer within `withinMs`
 */
export async function askUntil<T>(
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
