import { createClock } from "../../server/core/clock.ts";

/** A clock whose product time does not advance by itself, so that every delay is exact. */
export function fixedClock(start = Date.now()) {
  const clock = createClock({ base: () => start });
  return { ...clock, advance: (seconds: number) => clock.jump(seconds * 1000) };
}
