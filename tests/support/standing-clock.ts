import { createClock } from "../../server/core/clock.ts";

/** A clock whose product time stands still until it is moved, so that every pause is exact. */
export function standingClock(start = Date.now()) {
  const clock = createClock({ base: () => start });
  return { ...clock, advance: (seconds: number) => clock.jump(seconds * 1000) };
}
