import type { Clock } from "./clock.ts";
import type { Work } from "./work.ts";

/** Lets a loop sleep until a product time and wakes it early when called: the clock may jump. Between sleeps the loop counts as work. */
export type Wake = {
  /**
   * Sleeps, unless it was called since the last sleep.
   * @param until product time; null sleeps as long as `mostMs`
   * @param now product time when `until` was counted from it: when the clock was set back since, the sleep is no longer for it
   */
  sleep: (until: number | null, now?: number) => Promise<void>;
  /** Sleeps for `ms` of steady time or until a call, which the next `sleep` still answers to. */
  rest: (ms: number) => Promise<void>;
  call: () => void;
  /** The loop is over. */
  close: () => void;
};

/**
 * @param what names the loop's work
 * @param mostMs the longest sleep: a lost notification delays the work by no more than this
 */
export function createWake(
  { clock, work }: { clock: Pick<Clock, "now" | "after">; work: Pick<Work, "begin"> },
  what: string,
  mostMs: number,
): Wake {
  let rouse: (() => void) | null = null;
  let isCalled = false;
  let end = work.begin(what);
  const sleepFor = (ms: number) =>
    new Promise<void>((resolve) => {
      rouse = () => {
        cancel();
        rouse = null;
        end = work.begin(what);
        resolve();
      };
      const cancel = clock.after(Math.ceil(Math.min(mostMs, Math.max(0, ms))), rouse);
      end();
    });
  return {
    async sleep(until, now = -Infinity) {
      if (!isCalled) await sleepFor(until === null ? mostMs : until - Math.max(now, clock.now()));
      isCalled = false;
    },
    rest: sleepFor,
    call() {
      isCalled = true;
      rouse?.();
    },
    close: () => end(),
  };
}
