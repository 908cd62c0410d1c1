import { randomUUID } from "node:crypto";
import type { Deps, Running } from "../../core/deps.ts";
import type { TelegramConnection } from "../connection.ts";
import { startRetention } from "../retention.ts";
import { createVault } from "../storage/vault.ts";
import type { AccountListeners } from "../types.ts";
import { type Held, holdAccount, logOutAccount } from "./holder.ts";
import { LEASE_MS, type LeasedRow, createLeases } from "./leases.ts";

const BEAT_MS = 3_000;
/** Before a lease that could not be prolonged runs out, its account is let go. */
const SAFETY_MS = 2_000;

export type AccountKeeper = Running & {
  /** how far Telegram's clock is ahead of ours in ms, as last seen; null before the first connection */
  clockOffsetMs(): number | null;
  /** how long ago this worker last prolonged its leases, in ms */
  beatAgeMs(): number;
  /** ids of the accounts in this worker's hands */
  held(): string[];
};

type Entry = { fence: bigint; leaving: AbortController; held: Held | null; ready: Promise<Held | null> };

/**
 * Keeps this worker's share of the connected accounts connected: takes free ones under a lease, prolongs it every three seconds,
 * lets go what it could not prolong, logs out what its owner gave up. Give it one per process.
 */
export async function startAccountKeeper(
  deps: Pick<Deps, "db" | "bus" | "clock" | "logger" | "config" | "jobs">,
  options: AccountListeners & { connection: TelegramConnection; workerId?: string },
): Promise<AccountKeeper> {
  const { bus, clock } = deps;
  const logger = deps.logger.child({ part: "telegram keeper" });
  const leases = createLeases(deps.db, options.workerId ?? randomUUID());
  const holder = {
    connection: options.connection,
    vault: createVault(deps.config.encryptionKeys),
    listeners: options,
    onClockOffset: (ms: number) => (clockOffset = ms),
    onDone: (held: Held) => void giveBack(held).catch(report),
  };
  const accounts = new Map<string, Entry>();
  /** accounts that are no longer worked on but not yet given back */
  const closing = new Set<string>();
  const chores = new Set<Promise<unknown>>();
  let clockOffset: number | null = null;
  let renewedAt = performance.now();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> | null = null;
  let beatAgain = false;

  const report = (error: unknown) => logger.error({ err: error }, "telegram keeper");
  const track = (chore: Promise<unknown>) => {
    const tracked = chore.catch(report).finally(() => chores.delete(tracked));
    chores.add(tracked);
  };

  const drop = async (id: string, fence: bigint): Promise<void> => {
    const entry = accounts.get(id);
    if (entry === undefined || entry.fence !== fence) return;
    accounts.delete(id);
    closing.add(id);
    entry.leaving.abort();
    try {
      const held = await entry.ready;
      await held?.close();
    } finally {
      closing.delete(id);
    }
  };
  const giveBack = async (account: { id: string; fence: bigint }): Promise<void> => {
    await drop(account.id, account.fence);
    await leases.release(account.id, account.fence);
  };
  const open = (row: LeasedRow) => {
    const fence = BigInt(row.fence);
    const leaving = new AbortController();
    const ready = holdAccount({ ...deps, logger }, holder, row, leaving.signal).catch((error: unknown) => {
      report(error);
      // Given back at the next beat, and taken again by whoever can.
      accounts.delete(row.id);
      return null;
    });
    const entry: Entry = { fence, leaving, held: null, ready };
    accounts.set(row.id, entry);
    track(ready.then((held) => (entry.held = held)));
  };
  const endGivenUp = async (row: LeasedRow): Promise<void> => {
    const fence = BigInt(row.fence);
    await drop(row.id, fence);
    closing.add(row.id);
    const erased = await logOutAccount({ ...deps, logger }, holder, row);
    await leases.release(row.id, fence);
    if (erased) await bus.publish("telegram.account", { account_id: row.id, user_id: row.user_id });
  };
  const handle = (row: LeasedRow) => {
    if (row.state === "connected") open(row);
    else track(endGivenUp(row).finally(() => closing.delete(row.id)));
  };

  const beat = async (): Promise<void> => {
    const startedAt = performance.now();
    const rows = await leases.renew(clock.iso());
    renewedAt = startedAt;
    const mine = new Map(rows.map((row) => [row.id, row]));
    for (const [id, { fence }] of accounts) {
      const row = mine.get(id);
      if (row === undefined || BigInt(row.fence) !== fence) track(drop(id, fence));
      else if (row.state === "connected" && !row.wanted) track(giveBack({ id, fence }));
      else if (row.state !== "connected" && row.wanted) handle(row);
      else if (row.state !== "connected") track(giveBack({ id, fence }));
    }
    for (const row of rows) {
      if (!accounts.has(row.id) && !closing.has(row.id)) track(leases.release(row.id, BigInt(row.fence)));
    }
    const share = await leases.fairShare(clock.iso());
    for (const [id, { fence }] of [...accounts].slice(share)) track(giveBack({ id, fence }));
    if (accounts.size < share && !stopped) {
      for (const row of await leases.take(share - accounts.size, clock.iso())) handle(row);
    }
    await noteActivity();
  };
  const noteActivity = async () => {
    await leases.noteActivity(
      [...accounts].flatMap(([id, { held }]) => {
        const at = held?.takeActivity() ?? null;
        return at === null ? [] : [{ id, at }];
      }),
    );
  };

  const beatNow = (): void => {
    if (stopped) return;
    if (beating !== null) {
      beatAgain = true;
      return;
    }
    clearTimeout(timer);
    beating = beat()
      .catch(report)
      .finally(() => {
        beating = null;
        if (stopped) return;
        timer = setTimeout(beatNow, beatAgain ? 0 : BEAT_MS);
        beatAgain = false;
      });
  };
  const watchdog = setInterval(() => {
    if (performance.now() - renewedAt < LEASE_MS - SAFETY_MS || accounts.size === 0) return;
    logger.error({ accounts: accounts.size }, "leases could not be prolonged in time; letting the accounts go");
    for (const [id, { fence }] of accounts) track(drop(id, fence));
  }, 500);
  const unsubscribe = bus.on("telegram.account", beatNow);
  const retention = startRetention(deps);

  await beat().catch(report);
  timer = setTimeout(beatNow, BEAT_MS);
  return {
    clockOffsetMs: () => clockOffset,
    beatAgeMs: () => performance.now() - renewedAt,
    held: () => [...accounts.keys()],
    async stop() {
      stopped = true;
      unsubscribe();
      clearTimeout(timer);
      await Promise.all([beating, retention.stop()]);
      // Sends may take a while to settle; until then the leases must not run out.
      const renewing = setInterval(() => void leases.renew(clock.iso()).catch(report), BEAT_MS);
      const mine = [...accounts].map(([id, { fence }]) => ({ id, fence }));
      await Promise.all(mine.map((account) => giveBack(account).catch(report)));
      await Promise.all(chores);
      clearInterval(renewing);
      clearInterval(watchdog);
      await leases.leave().catch(report);
      // Whoever is still there takes the accounts over now, not at the next beat.
      const first = mine[0];
      if (first !== undefined)
        await bus.publish("telegram.account", { account_id: first.id, user_id: "" }).catch(report);
    },
  };
}
