import { randomUUID } from "node:crypto";
import type { Deps, Running } from "../../core/deps.ts";
import type { TelegramConnection } from "../connection.ts";
import { startRetention } from "../retention.ts";
import type { Cancel } from "../../core/clock.ts";
import { createVault } from "../../core/vault.ts";
import type { AccountListeners } from "../types.ts";
import { createClockOffset } from "./clock-offset.ts";
import { type AccountHandle, logOutAccount } from "./holder.ts";
import { type AccountPool, createAccountPool } from "./account-pool.ts";
import { type LeaseClock, createLeaseClock, momentOf } from "./lease-clock.ts";
import { LEASE_MS, type LeasedRow, createLeases } from "./leases.ts";
import { fairShare } from "./shares.ts";

const BEAT_MS = 3_000;
/** A lease that could not be renewed is given up here this long before the database ends it. */
const SAFETY_MS = 2_000;
const WATCH_MS = 500;
/** Polling interval, in case a notification is lost. */
const LOOK_MS = 15_000;
/** Minimum time between two reads of all held accounts, because changes come in bursts. */
const LOOK_REST_MS = 250;
/** When another worker's lease expires, its accounts are taken at once, not at the next beat. */
const AFTER_END_MS = 50;
/** How many accounts a worker opens at once; it takes no more than it can open. */
const OPENING_MOST = 20;
/** How many accounts are handed over at once; the next ones follow when others hold these. */
const HANDED_OVER_AT_ONCE = 20;
const HANDING_OVER_MS = 250;
/** The previous holder of a free account may have stopped in a transaction that still locks its row, until the database ends it. */
const IN_USE_MS = 500;
const CLOCK_MS = 30_000;
const CLOCK_BOUND_MS = 5_000;

export type AccountKeeper = Running & {
  /** how far Telegram's clock is ahead of this host's in ms; null before the first connection */
  clockOffsetMs(): number | null;
  /** how long ago this worker last renewed its lease, in ms */
  beatAgeMs(): number;
  /** ids of the accounts that this worker holds */
  held(): string[];
  /** how many of them have been unusable for a minute or longer */
  unusable(): number;
};

/** A worker's lease under a unique name, never reused after its end. */
type Tenure = { worker: string; clock: LeaseClock };

/**
 * Keeps this worker's share of the connected accounts connected. Takes free ones under its lease, renews the lease every three seconds, and
 * sends nothing while the lease is uncertain. Hands over accounts beyond its share, and logs out disconnected ones. Use one per process.
 */
export async function startAccountKeeper(
  deps: Pick<Deps, "db" | "bus" | "clock" | "logger" | "config" | "jobs" | "work">,
  options: AccountListeners & { connection: TelegramConnection },
): Promise<AccountKeeper> {
  const { bus, clock, config, work } = deps;
  const logger = deps.logger.child({ part: "telegram keeper" });
  const leases = createLeases(deps.db);
  const offset = createClockOffset();
  const report = (error: unknown) =>
    logger.error({ err: error }, "keeping the accounts connected failed, trying again");
  const holder = {
    connection: options.connection,
    vault: createVault(config.encryptionKeys),
    listeners: options,
    onClockSample: offset.add,
    onFailed: (held: AccountHandle, error: unknown) => pool.fail(held, error),
    onDone: (held: AccountHandle) => track("give back", release(held)),
  };
  const pool: AccountPool = createAccountPool({ ...deps, logger }, holder, {
    release: (account) => release(account),
    onSlotFree: () => {
      if (mayBeMore) lookSoon(0, "share");
    },
    onRetryDue: () => lookSoon(0, "share"),
  });
  const chores = work.part("accounts");
  let tenure: Tenure | null = null;
  let beatenAt = clock.monotonic();
  let clockReadAt = -Infinity;
  let lookedAt = -Infinity;
  let stopped = false;
  let cancelNext: Cancel = () => {};
  let running: Promise<void> | null = null;
  let wanted = { beatAt: 0, lookAt: 0, shareAt: Infinity };
  /** there were more free accounts than this worker could open at once */
  let mayBeMore = false;

  const track = (what: string, chore: Promise<unknown>) => void chores.track(what, chore).catch(report);
  const release = async (account: { id: string; fence: bigint }): Promise<void> => {
    const mine = tenure;
    await pool.drop(account.id, account.fence, false);
    if (mine !== null) await leases.release(mine.worker, account.id, account.fence);
  };
  const endGivenUp = async (row: LeasedRow, { worker, clock: lease }: Tenure): Promise<void> => {
    const fence = BigInt(row.fence);
    await pool.drop(row.id, fence, false);
    const erased = await pool.whileClosing(row.id, () => logOutAccount({ ...deps, logger }, holder, row, lease.isHeld));
    await leases.release(worker, row.id, fence);
    if (erased) await bus.publish("telegram.account", { account_id: row.id, user_id: row.user_id });
  };
  const handle = (row: LeasedRow, mine: Tenure) => {
    if (row.state === "connected") pool.open(row, mine.clock.isHeld);
    else track("log out", endGivenUp(row, mine));
  };

  const loseAll = (mine: Tenure, why: string): void => {
    mine.clock.end();
    if (tenure === mine) tenure = null;
    const entries = pool.entries();
    if (entries.length > 0) logger.error({ accounts: entries.length }, why);
    for (const { id, fence } of entries) track("drop", pool.drop(id, fence, true));
    // Nothing more is sent under the old name, so its accounts are free at once, also for this worker.
    track("leave", leases.leave(mine.worker));
  };
  const begin = async (): Promise<Tenure> => {
    const mine = { worker: randomUUID(), clock: createLeaseClock(LEASE_MS - SAFETY_MS, () => momentOf(clock)) };
    const began = momentOf(clock);
    await leases.join(mine.worker, config.mostAccounts);
    mine.clock.renew(began);
    beatenAt = began.steady;
    tenure = mine;
    wanted.lookAt = 0;
    // Workers that now hold more than their share hand accounts over.
    await bus.publish("telegram.freed", {}).catch(report);
    return mine;
  };

  const beat = async (): Promise<Tenure> => {
    const mine = tenure ?? (await begin());
    const began = momentOf(clock);
    const { isRenewed, ended, nextEndMs } = await leases.renew(mine.worker);
    if (!isRenewed) {
      loseAll(mine, "the lease expired, releasing the accounts");
      return beat();
    }
    mine.clock.renew(began);
    beatenAt = began.steady;
    wanted.beatAt = clock.monotonic() + Math.min(BEAT_MS, (nextEndMs ?? BEAT_MS) + AFTER_END_MS);
    if (ended > 0) wanted.lookAt = 0;
    const activity = pool.takeActivity();
    await leases.noteActivity(activity);
    await leases.storeUnusableSince(pool.takeUsable(clock.now()));
    return mine;
  };

  const look = async (mine: Tenure): Promise<void> => {
    lookedAt = clock.monotonic();
    wanted.lookAt = lookedAt + LOOK_MS;
    const now = clock.iso();
    const rows = await leases.mine(mine.worker, now);
    const known = new Map(rows.map((row) => [row.id, row]));
    for (const { id, fence } of pool.entries()) {
      const row = known.get(id);
      if (row === undefined || BigInt(row.fence) !== fence) track("drop", pool.drop(id, fence, true));
      else if (row.state === "connected" && !row.wanted) track("give back", release({ id, fence }));
      else if (row.state !== "connected" && row.wanted) handle(row, mine);
      else if (row.state !== "connected") track("give back", release({ id, fence }));
    }
    for (const row of rows)
      if (!pool.isBusyWith(row.id)) track("release", leases.release(mine.worker, row.id, BigInt(row.fence)));
    await share(mine);
  };

  const share = async (mine: Tenure): Promise<void> => {
    wanted.shareAt = Infinity;
    const now = clock.iso();
    const backingOff = pool.backingOff();
    const { accounts, free, takeable, ceilings } = await leases.spread(backingOff, now);
    const most = fairShare(accounts, config.mostAccounts, ceilings);
    const surplus = pool.entries().slice(most);
    if (surplus.length > 0) {
      if (free === 0) {
        await Promise.all(surplus.slice(0, HANDED_OVER_AT_ONCE).map(release));
        await bus.publish("telegram.freed", {});
      }
      lookSoon(HANDING_OVER_MS, "share");
      return;
    }
    mayBeMore = free > 0;
    const room = Math.min(most - pool.entries().length, OPENING_MOST - pool.opening(), takeable);
    if (room <= 0 || stopped || !mine.clock.isHeld()) return;
    const taken = await leases.take(mine.worker, room, backingOff, now);
    for (const row of taken) handle(row, mine);
    if (taken.length < room) lookSoon(IN_USE_MS, "share");
  };

  const run = async (): Promise<void> => {
    const time = clock.monotonic();
    let mine = tenure;
    if (mine === null || time >= wanted.beatAt) mine = await beat();
    if (clock.monotonic() >= wanted.lookAt) await look(mine);
    else if (clock.monotonic() >= wanted.shareAt) await share(mine);
    readClock(time);
  };
  const readClock = (time: number): void => {
    const isOff = Math.abs(offset.read() ?? 0) > CLOCK_BOUND_MS;
    if (time - clockReadAt < (isOff ? BEAT_MS : CLOCK_MS)) return;
    clockReadAt = time;
    pool.anyUsable()?.readClock();
  };
  /** True if a look was requested before its regular time. */
  const isSoon = (): boolean => !stopped && (wanted.shareAt < Infinity || wanted.lookAt < lookedAt + LOOK_MS);
  const next = (): void => {
    if (stopped || running !== null) return;
    cancelNext();
    cancelNext = clock.after(
      Math.min(wanted.beatAt, wanted.lookAt, wanted.shareAt) - clock.monotonic(),
      () => void step(),
    );
  };
  const step = (): Promise<void> | null => {
    if (stopped || running !== null) return running;
    cancelNext();
    running = work
      .track("keep accounts", run())
      .catch((error: unknown) => {
        report(error);
        const time = clock.monotonic();
        wanted = { beatAt: time + BEAT_MS / 3, lookAt: time + BEAT_MS, shareAt: Infinity };
      })
      .finally(() => {
        running = null;
        next();
      });
    return running;
  };
  const lookSoon = (ms: number, what: "look" | "share" = "look"): void => {
    wanted[`${what}At`] = Math.min(wanted[`${what}At`], clock.monotonic() + ms);
    next();
  };

  let watchedAt = clock.monotonic();
  let thawedAt = -Infinity;
  const stopWatching = clock.every(WATCH_MS, () => {
    const mine = tenure;
    const time = clock.monotonic();
    // After a freeze of this process, check the lease first, because other workers may not have ended it. Send nothing until then.
    if (time - watchedAt > 2 * WATCH_MS) {
      thawedAt = time;
      wanted.beatAt = 0;
      next();
    }
    watchedAt = time;
    if (time - thawedAt < LEASE_MS) return;
    if (mine !== null && pool.entries().length > 0 && time - beatenAt >= LEASE_MS - SAFETY_MS)
      loseAll(mine, "the lease could not be renewed in time, releasing the accounts");
  });
  const unsubscribe = [
    bus.on("telegram.account", () => lookSoon(Math.max(0, lookedAt + LOOK_REST_MS - clock.monotonic()))),
    bus.on("telegram.freed", () => lookSoon(0)),
    bus.on("clock.moved", offset.forget),
    bus.onGap(() => {
      // During a database outage no account could start, so their failures do not count.
      pool.clearBackOffs();
      lookSoon(0);
    }),
  ];
  const retention = startRetention(deps);
  deps.jobs.schedule("telegram.workers", "23 * * * *", () => leases.forgetEnded());

  work.watch(() => !isSoon() && pool.opening() === 0 && pool.areCaughtUp());
  await step();
  return {
    clockOffsetMs: offset.read,
    beatAgeMs: () => clock.monotonic() - beatenAt,
    held: () => pool.entries().map(({ id }) => id),
    unusable: pool.unusable,
    async stop() {
      stopped = true;
      for (const off of unsubscribe) off();
      cancelNext();
      await Promise.all([running, retention.stop()]);
      // Sends may take a while to settle; the lease must not expire before.
      const stopProlonging = clock.every(BEAT_MS, () => {
        if (tenure !== null) beat().catch(report);
      });
      await Promise.all(pool.entries().map((account) => release(account).catch(report)));
      await chores.settled();
      stopProlonging();
      stopWatching();
      if (tenure !== null) await leases.leave(tenure.worker).catch(report);
      // The other workers take the accounts over at once, not at their next poll.
      await bus.publish("telegram.freed", {}).catch(report);
    },
  };
}
