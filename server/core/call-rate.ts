import type { Bus } from "./bus.ts";
import type { Running } from "./deps.ts";
import { tooMany } from "./problem.ts";

/** A pause of the browser's is made up for by a burst of this many seconds. */
const BURST_SECONDS = 5;
const TELL_MS = 1_000;
/** Who calls less than this share of the limit is nobody else's business. */
const TOLD_SHARE = 0.2;
/** A notification holds 8,000 bytes. */
const MOST_TOLD = 100;
const FORGET_AFTER_MS = 60_000;

type Bucket = { left: number; at: number; untold: number };

/** Counts a user's calls. */
export type CallRate = Running & {
  /** @throws ProblemError 429 with Retry-After when the user calls too often */
  count(userId: string): void;
  /** Tells the other processes now; done once a second by itself. */
  tell(): void;
};

/**
 * Limits a user's calls a second over all processes without asking anyone before a call: each process counts its own, and once a second
 * tells the others of those who call much. So the limit holds exactly within a process, and over several what a user calls elsewhere
 * counts a second late: for that second P processes admit P times the limit, never longer.
 * @param perSecond calls a second; 0 for no limit
 * @param now milliseconds of a clock that never goes back
 */
export function createCallRate(bus: Bus, perSecond: number, now: () => number = () => performance.now()): CallRate {
  if (perSecond === 0) return { count: () => {}, tell: () => {}, stop: async () => {} };
  const self = crypto.randomUUID();
  const most = perSecond * BURST_SECONDS;
  const buckets = new Map<string, Bucket>();
  const bucketOf = (userId: string): Bucket => {
    const at = now();
    const bucket = buckets.get(userId) ?? { left: most, at, untold: 0 };
    bucket.left = Math.min(most, bucket.left + ((at - bucket.at) * perSecond) / 1000);
    bucket.at = at;
    buckets.set(userId, bucket);
    return bucket;
  };
  const tell = () => {
    const busy: [string, number][] = [];
    for (const [userId, bucket] of buckets) {
      if (bucket.untold >= perSecond * TOLD_SHARE) busy.push([userId, bucket.untold]);
      bucket.untold = 0;
      if (now() - bucket.at > FORGET_AFTER_MS) buckets.delete(userId);
    }
    if (busy.length === 0) return;
    const calls = busy.toSorted(([, a], [, b]) => b - a).slice(0, MOST_TOLD);
    void bus.publish("calls.counted", { process: self, calls }).catch(() => {});
  };
  const off = bus.on("calls.counted", ({ process, calls }) => {
    if (process === self) return;
    for (const [userId, count] of calls) {
      const bucket = bucketOf(userId);
      bucket.left = Math.max(-most, bucket.left - count);
    }
  });
  const timer = setInterval(tell, TELL_MS).unref();
  return {
    tell,
    count(userId) {
      const bucket = bucketOf(userId);
      if (bucket.left < 1)
        throw tooMany("Too many calls in a short time. Slow down and try again.", (1 - bucket.left) / perSecond);
      bucket.left -= 1;
      bucket.untold += 1;
    },
    async stop() {
      clearInterval(timer);
      off();
    },
  };
}
