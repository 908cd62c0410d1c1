import type { Clock } from "../core/clock.ts";

/** Sleeps until a time of the product's clock, and wakes early when called: the clock may jump. */
export type Wake = {
  /** @param until milliseconds of the clock; null sleeps as long as `mostMs` */
  sleep: (until: number | null) => Promise<void>;
  call: () => void;
};

/** @param mostMs the longest sleep: a lost notification delays the work by no more than this */
export function createWake(clock: Clock, mostMs: number): Wake {
  let rouse: (() => void) | null = null;
  let isCalled = false;
  return {
    async sleep(until) {
      if (isCalled) {
        isCalled = false;
        return;
      }
      const ms = until === null ? mostMs : Math.min(mostMs, Math.max(0, until - clock.now()));
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
