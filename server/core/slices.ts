import { nextTurn, systemClock } from "./clock.ts";

/** Leads per transaction of a long job. Other writers wait a fraction of a second for them. */
export const SLICE = 500;

/** Slices of a long job that run at the same time. The embedded database runs one statement at a time. */
export const LANES = { pglite: 1, postgres: 2 } as const;

/**
 * Lets other work run between two slices. Every lane except the first pauses for as long as its slice took. Without that pause the lanes would
 * overlap all the time, and the lock on the target stage would never be free.
 */
export async function restAfter(lane: number, tookMs: number): Promise<void> {
  if (lane > 0) await systemClock.sleep(tookMs);
  else await nextTurn();
}
