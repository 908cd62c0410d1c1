import type { Deps, Running } from "./deps.ts";
import { refuse } from "./problem.ts";

const PUBLISH_MS = 1_000;
/** Counts below this share of the limit are not published. */
const PUBLISHED_SHARE = 0.2;
/** A notification holds 8,000 bytes. */
const PUBLISHED_MAX = 100;
const FORGET_AFTER_MS = 60_000;

type Bucket = { left: number; at: number; unpublished: number };

/** Who is limited, the calls allowed per second, and the burst after a pause. */
export type CallLimit = { of: "user" | "key"; perSecond: number; most: number };
/** What is left after a call: how many more are allowed at once, and in how many seconds the full burst is available again. */
export type CallsLeft = { left: number; fullInSeconds: number };

/** Counts the calls of users, or of keys. */
export type CallRate = Running & {
  /**
   * @param onCounted receives what is left, also before a refusal
   * @throws ProblemError 429 with Retry-After when the user or key calls too often
   */
  count(id: string, onCounted?: (calls: CallsLeft) => void): void;
  /** Publishes the counts to the other processes now; runs once a second by itself. */
  publish(): void;
};

/**
 * Limits calls over all processes without a request before each call: every process counts its own calls and once a second publishes the
 * counts of busy callers. The limit is exact within a process. Calls to other processes count up to a second late, so for that second
 * P processes admit up to P times the limit.
 * @param limit.perSecond 0 for no limit
 */
export function createCallRate(
  { bus, clock }: Pick<Deps, "bus" | "clock">,
  { of, perSecond, most }: CallLimit,
): CallRate {
  if (perSecond === 0) return { count: () => {}, publish: () => {}, stop: async () => {} };
  const self = crypto.randomUUID();
  const buckets = new Map<string, Bucket>();
  const bucketOf = (id: string): Bucket => {
    const at = clock.monotonic();
    const bucket = buckets.get(id) ?? { left: most, at, unpublished: 0 };
    bucket.left = Math.min(most, bucket.left + ((at - bucket.at) * perSecond) / 1000);
    bucket.at = at;
    buckets.set(id, bucket);
    return bucket;
  };
  const publish = () => {
    const busy: [string, number][] = [];
    for (const [id, bucket] of buckets) {
      if (bucket.unpublished >= perSecond * PUBLISHED_SHARE) busy.push([id, bucket.unpublished]);
      bucket.unpublished = 0;
      if (clock.monotonic() - bucket.at > FORGET_AFTER_MS) buckets.delete(id);
    }
    if (busy.length === 0) return;
    const calls = busy.toSorted(([, a], [, b]) => b - a).slice(0, PUBLISHED_MAX);
    void bus.publish("calls.counted", { process: self, of, calls }).catch(() => {});
  };
  const off = bus.on("calls.counted", ({ process, of: whose, calls }) => {
    if (process === self || whose !== of) return;
    for (const [id, count] of calls) {
      const bucket = bucketOf(id);
      bucket.left = Math.max(-most, bucket.left - count);
    }
  });
  const stopPublishing = clock.every(PUBLISH_MS, publish);
  return {
    publish,
    count(id, onCounted = () => {}) {
      const bucket = bucketOf(id);
      const isAdmitted = bucket.left >= 1;
      if (isAdmitted) {
        bucket.left -= 1;
        bucket.unpublished += 1;
      }
      onCounted({
        left: Math.max(0, Math.floor(bucket.left)),
        fullInSeconds: Math.ceil((most - bucket.left) / perSecond),
      });
      if (!isAdmitted)
        throw refuse(
          429,
          "too_many_requests",
          { reason: "calls" },
          { retryAfterSeconds: (1 - bucket.left) / perSecond },
        );
    },
    async stop() {
      stopPublishing();
      off();
    },
  };
}
