import type { Clock } from "../core/clock.ts";

/** Sleeps until a time of the product's clock, and wakes early when called: the clock may jump. */
export type Wake = {
  /**
   * @param until milliseconds of the clock; null sleeps as long as `mostMs`
   * @param now what the clock had come to when `until` was counted from it: set back since, it makes no longer sleep of it
   */
  sleep: (until: number | null, now?: number) => Promise<void>;
  call: () => void;
};

/** @param mostMs the longest sleep: a lost notification delays the work by no more than this */
export function createWake(clock: Clock, mostMs: number): Wake {
  let rouse: (() => void) | null = null;
  let isCalled = false;
  return {
    async sleep(until, now = -Infinity) {
      if (isCalled) {
        isCalled = false;
        return;
      }
      const ms = until === null ? mostMs : Math.min(mostMs, Math.max(0, until - Math.max(now, clock.now())));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.ceil(ms));
        rouse = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      rouse = null;
      isCalled = false;
    },
    call() {
      isCalled = true;
      rouse?.();
    },
  };
}
