import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { systemClock } from "./clock.ts";
import type { Deps } from "./deps.ts";
import { createLimiter, refuseFor, type Limiter, type LimitOptions } from "./limits.ts";
import { deriveKey } from "./secrets.ts";

/** An attempt that takes longer has lost its process. */
const HELD_SECONDS = 20;
const FIRST_LOOK_MS = 40;
const LAST_LOOK_MS = 640;
const KEPT_SECONDS = 86_400;

type SharedDeps = Pick<Deps, "db" | "clock" | "config">;
type Bucket = { admitted: boolean; tokens: number; held: number };

/**
 * The same token buckets as `createLimiter`'s, in Postgres: what one process counted, all of them know. A use is one statement, an
 * attempt two. Times of refilling follow the product's clock.
 * @param name keeps the keys of one limit apart from those of another
 */
export function createSharedLimiter(deps: SharedDeps, name: string, options: LimitOptions): Limiter {
  const { db, clock, config } = deps;
  const [oldest] = config.encryptionKeys;
  if (oldest === undefined) throw new Error("ENCRYPTION_KEYS holds no key.");
  const secret = deriveKey(oldest.key, "shared limits");
  const idOf = (key: string) => `${name} ${createHmac("sha256", secret).update(key).digest("base64url")}`;
  const { capacity, refillSeconds } = options;

  /** Further ahead than it takes to fill it, a bucket was used by a clock that was set back since: nobody waits for that one. */
  const isOfOtherClock = (at: string) =>
    sql<boolean>`r.at > ${at}::timestamptz + ${capacity * refillSeconds} * interval '1 second'`;
  /** What a bucket holds now, as SQL over its row `r`. */
  const left = (
    at: string,
  ) => sql<number>`case when ${isOfOtherClock(at)} then ${capacity}::float8 else least(${capacity}::float8,
    r.tokens + greatest(0, extract(epoch from ${at}::timestamptz - r.at)) / ${refillSeconds}::float8) end`;
  const usedAt = (at: string) =>
    sql`case when ${isOfOtherClock(at)} then ${at}::timestamptz else greatest(r.at, ${at}::timestamptz) end`;
  const held = sql<number>`case when r.held_until > clock_timestamp() then r.held else 0 end`;
  const take = async (id: string, spend: 0 | 1): Promise<Bucket> => {
    const at = clock.iso();
    const hold = 1 - spend;
    const { rows } = await sql<Bucket>`
      with taken as (
        insert into rate_limits as r (id, tokens, at, held, held_until)
        values (${id}, ${capacity - spend}, ${at}::timestamptz, ${hold}, clock_timestamp() + ${HELD_SECONDS} * interval '1 second')
        on conflict (id) do update set tokens = ${left(at)} - ${spend}, at = ${usedAt(at)}, held = ${held} + ${hold},
          held_until = case when ${hold} = 1 then excluded.held_until else r.held_until end
        where ${left(at)} - ${held} >= 1 returning r.tokens, r.held
      )
      select true as admitted, tokens, held from taken
      union all select false, ${left(at)}, ${held} from rate_limits r where r.id = ${id} and not exists (select from taken)`.execute(
      db,
    );
    // Another one has made the row in this moment: the next look sees it.
    return rows[0] ?? take(id, spend);
  };
  const settle = async (id: string, failed: boolean): Promise<void> => {
    const at = clock.iso();
    await sql`update rate_limits r set held = greatest(0, r.held - 1), tokens = greatest(0, ${left(at)} - ${failed ? 1 : 0}),
      at = ${usedAt(at)} where r.id = ${id}`.execute(db);
  };
  const refuse = ({ tokens }: Bucket) => refuseFor(options, tokens);

  return {
    async use(key) {
      const bucket = await take(idOf(key), 1);
      if (!bucket.admitted) throw refuse(bucket);
    },
    async attempt(key, work) {
      const id = idOf(key);
      let look = FIRST_LOOK_MS;
      for (let bucket = await take(id, 0); !bucket.admitted; bucket = await take(id, 0)) {
        // What is left is, or was a moment ago, in the hands of others, who may yet succeed.
        if (bucket.tokens < 1) throw refuse(bucket);
        await systemClock.sleep(look);
        look = Math.min(LAST_LOOK_MS, look * 2);
      }
      let failed = false;
      try {
        const succeeded = await work();
        failed = !succeeded;
        return succeeded;
      } finally {
        await settle(id, failed);
      }
    },
  };
}

/** A limit over all processes: in Postgres, or in memory where the embedded store serves one process only. */
export const openLimiter = (deps: SharedDeps & Pick<Deps, "engine">, name: string, options: LimitOptions): Limiter =>
  deps.engine.kind === "pglite" ? createLimiter(deps.clock, options) : createSharedLimiter(deps, name, options);

/** Forgets buckets that have long been full again. */
export const sweepLimits = ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<unknown> =>
  sql`delete from rate_limits where at < ${clock.iso()}::timestamptz - ${KEPT_SECONDS} * interval '1 second'`.execute(
    db,
  );
