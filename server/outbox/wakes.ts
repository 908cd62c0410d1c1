import { sql } from "kysely";
import type { Deps, Running } from "../core/deps.ts";

/** Wakes the senders of one process, by notifications and by one shared poll of the queue. */
export type Wakes = Running & {
  /** Calls `wake` whenever there may be something to send for the account. @returns a function that stops it */
  watch(account: { accountId: string; userId: string }, wake: () => void): () => void;
};

/** Polling interval, in case a notification is lost. */
const LOOK_MS = 5_000;
/** A due row that a condition holds back wakes its sender at growing intervals, up to this one. */
const LONGEST_REST_MS = 300_000;

type Watched = { userId: string; wake: () => void; restMs: number; quietUntil: number };

/** Creates the wakes. A poll reads one row of each account with queued rows, so it costs nothing when the queue is empty. */
export function createWakes({
  db,
  bus,
  clock,
  logger,
  work,
}: Pick<Deps, "db" | "bus" | "clock" | "logger" | "work">): Wakes {
  const byAccount = new Map<string, Watched>();
  const byOwner = new Map<string, Set<Watched>>();
  let looking: Promise<void> | null = null;

  const rouse = (watched: Watched) => {
    watched.restMs = LOOK_MS;
    watched.quietUntil = 0;
    watched.wake();
  };
  const look = async (): Promise<void> => {
    if (byAccount.size === 0) return;
    const owners = new Set(await ownersWithWork(db, clock.iso()));
    const time = clock.monotonic();
    for (const watched of byAccount.values()) {
      if (!owners.has(watched.userId)) {
        watched.restMs = LOOK_MS;
        watched.quietUntil = 0;
      } else if (watched.quietUntil <= time) {
        watched.quietUntil = time + watched.restMs;
        watched.restMs = Math.min(LONGEST_REST_MS, watched.restMs * 2);
        watched.wake();
      }
    }
  };
  const lookNow = () => {
    looking ??= work
      .track("look at the queue", look())
      .catch((error: unknown) => logger.warn({ err: error }, "polling for messages to send failed, trying again"))
      .finally(() => (looking = null));
  };
  const unsubscribe = [
    bus.on("outbox.ready", ({ owner_id }) => byOwner.get(owner_id)?.forEach(rouse)),
    bus.on("telegram.account", ({ account_id }) => {
      const watched = byAccount.get(account_id);
      if (watched !== undefined) rouse(watched);
    }),
    bus.on("clock.moved", () => byAccount.forEach(rouse)),
    bus.onGap(lookNow),
  ];
  const stopLooking = clock.every(LOOK_MS, lookNow);
  return {
    watch({ accountId, userId }, wake) {
      const watched: Watched = { userId, wake, restMs: LOOK_MS, quietUntil: 0 };
      byAccount.set(accountId, watched);
      byOwner.set(userId, (byOwner.get(userId) ?? new Set()).add(watched));
      return () => {
        if (byAccount.get(accountId) === watched) byAccount.delete(accountId);
        const others = byOwner.get(userId);
        others?.delete(watched);
        if (others?.size === 0) byOwner.delete(userId);
      };
    },
    async stop() {
      stopLooking();
      for (const off of unsubscribe) off();
      await looking;
    },
  };
}

/** Returns owners with a due message. Skips from owner to owner in the index. */
async function ownersWithWork(db: Deps["db"], now: string): Promise<string[]> {
  const { rows } = await sql<{ owner_id: string }>`
    with recursive owners as (
      (select owner_id from outbox where state = 'pending' order by owner_id limit 1)
      union all
      select (select o.owner_id from outbox o where o.state = 'pending' and o.owner_id > before.owner_id order by o.owner_id limit 1)
      from owners before where before.owner_id is not null
    )
    select w.owner_id from owners w where w.owner_id is not null and exists (
      select from outbox o where o.owner_id = w.owner_id and o.state = 'pending' and o.not_before <= ${now}::timestamptz)`.execute(
    db,
  );
  return rows.map(({ owner_id }) => owner_id);
}
