import { createHmac } from "node:crypto";
import { sql } from "kysely";
import type { RateLimitedAction } from "../../domain/sign-in-problems.ts";
import { systemClock } from "./clock.ts";
import type { Deps } from "./deps.ts";
import { type ProblemError, refuse } from "./problem.ts";
import { deriveKey } from "./vault.ts";
import ipaddr from "ipaddr.js";

/** After this time the process of an attempt counts as dead. */
const HELD_SECONDS = 20;
const FIRST_POLL_MS = 40;
const LAST_POLL_MS = 640;
const RETENTION_SECONDS = 86_400;

export type LimitOptions = {
  /** uses in a row at most */
  capacity: number;
  /** seconds until one more use is allowed */
  refillSeconds: number;
  /** whether the keys are addresses, which count by network */
  ofNetworks?: boolean;
  /** the error when a key has no uses left; gets the seconds to wait */
  refusal: (seconds: number) => ProblemError;
};

export type Limiter = {
  /**
   * Counts one use.
   * @throws ProblemError 429 with Retry-After when the key has none left
   */
  use(key: string): Promise<void>;
  /**
   * Runs an attempt that counts only when it fails. When attempts in flight hold all remaining uses, it waits for their results. So many
   * successes at once are never refused, but many guesses at once are.
   * @param work resolves to true for a success; an error it throws does not count
   * @throws ProblemError 429 with Retry-After when the key has none left
   */
  attempt(key: string, work: () => Promise<boolean>): Promise<boolean>;
  /** Returns uses to a key; all of them unless a count is given. */
  forgive(key: string, uses?: number): Promise<void>;
};

type Bucket = { admitted: boolean; tokens: number; held: number };

/** Builds the error of a limit that was reached. */
export const rateLimitError =
  (reason: RateLimitedAction) =>
  (seconds: number): ProblemError =>
    refuse(429, "over_request_rate_limit", { reason }, { retryAfterSeconds: seconds });

/**
 * Opens a token bucket for each key, shared by all processes through the database. Keys are stored as keyed hashes. Refills follow the
 * product's clock.
 * @param name keeps the keys of one limit apart from those of another
 */
export function openLimiter(
  { db, clock, config }: Pick<Deps, "db" | "clock" | "config">,
  name: string,
  { capacity, refillSeconds, ofNetworks = false, refusal }: LimitOptions,
): Limiter {
  const [oldest] = config.encryptionKeys;
  if (oldest === undefined) throw new Error("ENCRYPTION_KEYS holds no key.");
  const secret = deriveKey(oldest.key, "shared limits");
  const idOf = (key: string) =>
    `${name} ${createHmac("sha256", secret)
      .update(ofNetworks ? networkOf(key) : key)
      .digest("base64url")}`;

  /**
   * Returns the tokens of bucket `r`, and since when. If its last use is further in the future than a full refill takes, the clock was
   * set back, and the bucket is full.
   */
  const refill = (at: string) => {
    const isAhead = sql`r.at > ${at}::timestamptz + ${capacity * refillSeconds} * interval '1 second'`;
    return {
      tokens: sql<number>`case when ${isAhead} then ${capacity}::float8 else least(${capacity}::float8,
        r.tokens + greatest(0, extract(epoch from ${at}::timestamptz - r.at)) / ${refillSeconds}::float8) end`,
      at: sql`case when ${isAhead} then ${at}::timestamptz else greatest(r.at, ${at}::timestamptz) end`,
    };
  };
  const held = sql<number>`case when r.held_until > clock_timestamp() then r.held else 0 end`;
  const take = async (id: string, hold: 0 | 1): Promise<Bucket> => {
    const at = clock.iso();
    const now = refill(at);
    const { rows } = await sql<Bucket>`
      with taken as (
        insert into rate_limits as r (id, tokens, at, held, held_until)
        values (${id}, ${capacity - 1}, ${at}::timestamptz, ${hold}, clock_timestamp() + ${HELD_SECONDS} * interval '1 second')
        on conflict (id) do update set tokens = ${now.tokens} - 1, at = ${now.at}, held = ${held} + ${hold},
          held_until = case when ${hold} = 1 then excluded.held_until else r.held_until end
        where ${now.tokens} >= 1 returning r.tokens, r.held
      )
      select true as admitted, tokens, held from taken
      union all select false, ${now.tokens}, ${held} from rate_limits r where r.id = ${id} and not exists (select from taken)`.execute(
      db,
    );
    const [bucket] = rows;
    // Concurrent statements used the bucket, which this one did not see; the next try sees it.
    const isStale = bucket === undefined || (!bucket.admitted && bucket.tokens >= 1);
    return isStale ? take(id, hold) : bucket;
  };
  const giveBack = async (id: string, uses: number, attempts: 0 | 1): Promise<void> => {
    const now = refill(clock.iso());
    await sql`update rate_limits r set tokens = least(${capacity}::float8, ${now.tokens} + ${uses}::float8), at = ${now.at},
      held = greatest(0, r.held - ${attempts}) where r.id = ${id}`.execute(db);
  };
  const refused = ({ tokens }: Bucket) => refusal(Math.max(1, Math.ceil((1 - tokens) * refillSeconds)));

  return {
    async use(key) {
      const bucket = await take(idOf(key), 0);
      if (!bucket.admitted) throw refused(bucket);
    },
    async attempt(key, work) {
      const id = idOf(key);
      let pollMs = FIRST_POLL_MS;
      for (let bucket = await take(id, 1); !bucket.admitted; bucket = await take(id, 1)) {
        if (bucket.held === 0) throw refused(bucket);
        await systemClock.sleep(pollMs);
        pollMs = Math.min(LAST_POLL_MS, pollMs * 2);
      }
      let hasFailed = false;
      try {
        hasFailed = !(await work());
        return !hasFailed;
      } finally {
        await giveBack(id, hasFailed ? 0 : 1, 1);
      }
    },
    forgive: (key, uses = capacity) => giveBack(idOf(key), uses, 0),
  };
}

/** Deletes buckets that have long been full again. */
export const sweepLimits = ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<unknown> =>
  sql`delete from rate_limits where at < ${clock.iso()}::timestamptz - ${RETENTION_SECONDS} * interval '1 second'`.execute(
    db,
  );

/**
 * Returns the network by which limits count an address: an IPv4 address, or the /64 of an IPv6 one. A single household has all
 * addresses of a /64 to itself.
 */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const known = ipaddr.process(address);
  if (known.kind() === "ipv4") return known.toString();
  const parts = (known as ipaddr.IPv6).parts.slice(0, 4);
  return `${parts.map((part) => part.toString(16)).join(":")}::/64`;
}
