import type { Clock } from "./clock.ts";
import { type ProblemError, tooMany } from "./problem.ts";

const MAX_KEYS = 50_000;

type Bucket = { tokens: number; at: number; inFlight: number; settled: (() => void)[] };

export type LimitOptions = {
  /** how many in a row at most */
  capacity: number;
  /** seconds until one more is allowed */
  refillSeconds: number;
  message: string;
};

export type Limiter = {
  /**
   * Counts one use.
   * @throws ProblemError 429 with Retry-After when the key has none left
   */
  use(key: string): Promise<void>;
  /**
   * Runs an attempt that counts only when it fails. Attempts at once cannot exceed what is left: the surplus waits for the
   * others' outcome, so many successes at once are never refused and many guesses at once are.
   * @param work resolves to true for a success; what it throws does not count
   * @throws ProblemError 429 with Retry-After when the key has none left
   */
  attempt(key: string, work: () => Promise<boolean>): Promise<boolean>;
};

/** Token buckets by key, in this process's memory. */
export function createLimiter(clock: Clock, options: LimitOptions): Limiter {
  const buckets = new Map<string, Bucket>();
  const perMs = 1 / (options.refillSeconds * 1000);

  const bucketOf = (key: string): Bucket => {
    const now = clock.now();
    const known = buckets.get(key);
    if (known !== undefined) {
      known.tokens = Math.min(options.capacity, known.tokens + Math.max(0, now - known.at) * perMs);
      known.at = now;
      return known;
    }
    if (buckets.size >= MAX_KEYS) forgetOldest(buckets);
    const fresh = { tokens: options.capacity, at: now, inFlight: 0, settled: [] };
    buckets.set(key, fresh);
    return fresh;
  };
  const refuse = (bucket: Bucket) => refuseFor(options, bucket.tokens);

  return {
    async use(key) {
      const bucket = bucketOf(key);
      if (bucket.tokens < 1) throw refuse(bucket);
      bucket.tokens -= 1;
    },
    async attempt(key, work) {
      let bucket = bucketOf(key);
      while (bucket.tokens - bucket.inFlight < 1) {
        if (bucket.inFlight === 0) throw refuse(bucket);
        const waiting = bucket;
        await new Promise<void>((resolve) => waiting.settled.push(resolve));
        bucket = bucketOf(key);
      }
      bucket.inFlight += 1;
      try {
        const succeeded = await work();
        if (!succeeded) bucket.tokens = Math.max(0, bucket.tokens - 1);
        return succeeded;
      } finally {
        bucket.inFlight -= 1;
        bucket.settled.splice(0).forEach((wake) => wake());
      }
    },
  };
}

/** The refusal of a bucket that holds less than one token. */
export const refuseFor = ({ message, refillSeconds }: LimitOptions, tokens: number): ProblemError =>
  tooMany(message, (1 - tokens) * refillSeconds, "over_request_rate_limit");

/** Makes room: the keys not seen for longest are the fullest. */
function forgetOldest(buckets: Map<string, Bucket>): void {
  const oldest = [...buckets].filter(([, { inFlight }]) => inFlight === 0).toSorted(([, a], [, b]) => a.at - b.at);
  for (const [key] of oldest.slice(0, MAX_KEYS / 10)) buckets.delete(key);
}
