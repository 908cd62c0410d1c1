import { pause, type Installation } from "./installation.ts";
import { atMost, type Topic } from "./topic.ts";

const LOOK_MS = 100;
const SHARED_WITHIN_MS = 600_000;
const HEARD_WITHIN_MS = 120_000;

/**
 * The longest time that an account has no worker, and that it receives no updates, while a second worker takes over half of the accounts.
 */
export const rebalance: Topic = {
  name: "rebalance",
  async measure({ accounts, database: { engine }, installation, print }) {
    await installation.startWorker();
    await installation.allHeld();
    const keys = await whenAllReceive(installation, accounts);
    const startedAt = performance.now();
    await installation.startWorker();
    const awaySince = new Map<string, number>();
    const silentSince = new Map<string, number>();
    let longest = 0;
    let longestSilence = 0;
    let smallest = 0;
    while (smallest < Math.floor(accounts / 2) || awaySince.size > 0 || silentSince.size > 0) {
      const { rows } = await engine.pool.query<{ free: string[] | null; smallest: number }>(
        `select (select array_agg(id) from telegram_sessions where lease_owner is null) as free,
          coalesce((select min(count)::int from (select count(s.id) from telegram_workers w left join telegram_sessions s on s.lease_owner = w.id
            where w.ended_at is null and w.lease_until > clock_timestamp() group by w.id having $1) held), 0) as smallest`,
        [true],
      );
      const time = performance.now();
      const free = new Set(rows[0]?.free ?? []);
      for (const id of free) if (!awaySince.has(id)) awaySince.set(id, time);
      for (const [id, since] of awaySince) {
        longest = Math.max(longest, time - since);
        if (!free.has(id)) awaySince.delete(id);
      }
      const receiving = installation.keysReceivingUpdates();
      for (const key of keys) {
        if (!receiving.has(key) && !silentSince.has(key)) silentSince.set(key, time);
        const since = silentSince.get(key);
        if (since !== undefined) longestSilence = Math.max(longestSilence, time - since);
        if (receiving.has(key)) silentSince.delete(key);
      }
      smallest = rows[0]?.smallest ?? 0;
      if (time - startedAt > SHARED_WITHIN_MS) throw new Error(`the second worker holds only ${smallest} accounts`);
      await pause(LOOK_MS);
    }
    print(
      `  ${Math.floor(accounts / 2)} accounts changed hands in ${Math.round((performance.now() - startedAt) / 1000)} s`,
    );
    return [
      atMost("longest time without a worker during a rebalance", longest / 1000, 5, "s"),
      atMost("longest time without updates during a rebalance", longestSilence / 1000, 5, "s"),
    ];
  },
};

/** Resolves when all accounts receive updates: they are held while their first connection is still being opened. */
async function whenAllReceive({ keysReceivingUpdates }: Installation, accounts: number): Promise<Set<string>> {
  for (const end = Date.now() + HEARD_WITHIN_MS; ;) {
    const keys = keysReceivingUpdates();
    if (keys.size === accounts) return keys;
    if (Date.now() > end) throw new Error(`only ${keys.size} of ${accounts} accounts receive updates`);
    await pause(LOOK_MS);
  }
}
