import { setImmediate as nextTurn } from "node:timers/promises";
import { systemClock } from "./clock.ts";

/** So many leads of a long work are changed by one transaction: who wants one of them waits for a fraction of a second. */
export const SLICE = 500;

/** How many slices of a long work go side by side; the embedded store does one thing at a time. */
export const LANES = { pglite: 1, postgres: 2 } as const;

/**
 * Lets other work in between two slices. A work's other lanes than the first rest as long as their slice took: two that overlap
 * without a gap would leave no moment in which nobody holds the stage that their leads go to.
 */
export async function restAfter(lane: number, tookMs: number): Promise<void> {
  if (lane > 0) await systemClock.sleep(tookMs);
  else await nextTurn();
}
