import type { Logger } from "pino";
import { withTimeout } from "../../core/clock.ts";
import { type AccountHandle, type HolderDeps, type HolderOptions, holdAccount } from "./holder.ts";
import type { LeasedRow } from "./leases.ts";

/** After this time an unusable account is reported. */
const UNUSABLE_MS = 60_000;
/** After this time an opening account no longer counts toward the limit; it continues to open. */
const OPENING_MS = 2_000;
/** Wait before an account that failed to start is retried; doubles each time. */
const FIRST_BACKOFF_MS = 5_000;
const LAST_BACKOFF_MS = 300_000;

type Entry = {
  id: string;
  fence: bigint;
  leaving: AbortController;
  held: AccountHandle | null;
  ready: Promise<AccountHandle | null>;
  openedAt: number;
  hasWorked: boolean;
  /** since when the account is unusable, as stored in its row */
  reportedSince: string | null;
};
type Account = { id: string; fence: bigint };

/** The accounts that this worker holds: opens, watches and closes them. The keeper decides which. */
export type AccountPool = ReturnType<typeof createAccountPool>;

/**
 * @param owner.release closes an account and releases its lease
 * @param owner.onSlotFree an account was opened, so another one can be
 * @param owner.onRetryDue an account that failed to start can be retried
 */
export function createAccountPool(
  deps: HolderDeps & { logger: Logger },
  holder: HolderOptions,
  owner: { release(account: Account): Promise<void>; onSlotFree(): void; onRetryDue(): void },
) {
  const { clock, logger, work } = deps;
  const entries = new Map<string, Entry>();
  const closing = new Map<string, Promise<unknown>>();
  const opening = new Set<Entry>();
  const backOffs = new Map<string, { failures: number; until: number }>();

  const whileClosing = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const done = Promise.resolve(closing.get(id))
      .catch(() => {})
      .then(work);
    const settled = done.catch(() => {});
    closing.set(id, settled);
    try {
      return await done;
    } finally {
      if (closing.get(id) === settled) closing.delete(id);
    }
  };
  /** @param isLost another worker holds the lease by now; everything must stop at once */
  const drop = async (id: string, fence: bigint, isLost: boolean): Promise<void> => {
    const entry = entries.get(id);
    if (entry === undefined || entry.fence !== fence) return;
    entries.delete(id);
    entry.leaving.abort();
    await whileClosing(id, async () => {
      const held = await entry.ready;
      await held?.close(isLost);
    });
  };
  const backOff = (id: string, error: unknown): void => {
    const failures = (backOffs.get(id)?.failures ?? 0) + 1;
    const ms = Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
    backOffs.set(id, { failures, until: clock.monotonic() + ms });
    logger.error({ err: error, account: id, failures, againInMs: ms }, "an account did not start");
    clock.after(ms, owner.onRetryDue);
  };
  const giveUp = (account: Account, error: unknown): void => {
    backOff(account.id, error);
    work
      .track("give an account back", owner.release(account))
      .catch((failure: unknown) => logger.error({ err: failure }, "releasing an account failed"));
  };
  const isUsable = (entry: Entry): boolean => {
    const isUsableNow = entry.held !== null && entry.held.unusableSince() === null;
    entry.hasWorked ||= isUsableNow;
    return isUsableNow;
  };
  const watchOpening = async (entry: Entry): Promise<void> => {
    const usable = entry.ready.then((held) => held?.usable());
    const dropped = new Promise((resolve) => entry.leaving.signal.addEventListener("abort", resolve));
    await withTimeout(clock, OPENING_MS, Promise.race([usable, dropped]), () => {});
    opening.delete(entry);
    owner.onSlotFree();
  };
  const unusableMs = (entry: Entry): number => {
    if (isUsable(entry)) return 0;
    const since = entry.hasWorked ? (entry.held?.unusableSince() ?? entry.openedAt) : entry.openedAt;
    return clock.monotonic() - since;
  };

  return {
    whileClosing,
    drop,
    open(row: LeasedRow, canWrite: () => boolean): void {
      const leaving = new AbortController();
      const account = { id: row.id, fence: BigInt(row.fence) };
      const open = async (): Promise<AccountHandle | null> => {
        await closing.get(row.id);
        return leaving.signal.aborted ? null : holdAccount(deps, holder, row, { leaving: leaving.signal, canWrite });
      };
      const ready = work.track("open an account", open()).catch((error: unknown) => {
        // An account that was dropped while it opened fails because of that.
        if (!leaving.signal.aborted) giveUp(account, error);
        return null;
      });
      const reportedSince = row.unusable_since;
      const entry: Entry = {
        ...account,
        leaving,
        held: null,
        ready,
        openedAt: clock.monotonic(),
        hasWorked: false,
        reportedSince,
      };
      entries.set(row.id, entry);
      opening.add(entry);
      void ready.then((held) => (entry.held = held));
      void watchOpening(entry);
    },
    /** Drops an account that failed after it was opened. */
    fail(held: AccountHandle, error: unknown): void {
      giveUp({ id: held.id, fence: held.fence }, error);
    },
    entries: (): Account[] => [...entries.values()],
    isBusyWith: (id: string): boolean => entries.has(id) || closing.has(id),
    opening: () => opening.size,
    areCaughtUp: () => [...entries.values()].every(({ held }) => held?.isCaughtUp() ?? true),
    anyUsable: (): AccountHandle | null => [...entries.values()].find(isUsable)?.held ?? null,
    unusable: () => [...entries.values()].filter((entry) => unusableMs(entry) >= UNUSABLE_MS).length,
    /** Returns accounts that failed to start and must wait before a retry. */
    backingOff(): string[] {
      const time = clock.monotonic();
      return [...backOffs].flatMap(([id, { until }]) => (until > time ? [id] : []));
    },
    /** Allows an immediate retry of every account, because the cause is gone. */
    clearBackOffs: () => backOffs.clear(),
    /** Returns and clears the last activity of each account. */
    takeActivity: (): { id: string; at: string }[] =>
      [...entries.values()].flatMap(({ id, held }) => {
        const at = held?.takeActivity() ?? null;
        return at === null ? [] : [{ id, at }];
      }),
    /** Returns accounts that have been unusable for a minute, or became usable, since the last call. */
    takeUsable(now: number): { id: string; fence: string; since: string | null }[] {
      return [...entries.values()].flatMap((entry) => {
        const ms = unusableMs(entry);
        if (ms === 0) backOffs.delete(entry.id);
        const since = ms >= UNUSABLE_MS ? (entry.reportedSince ?? new Date(now - ms).toISOString()) : null;
        if (since === entry.reportedSince || (ms > 0 && since === null)) return [];
        entry.reportedSince = since;
        return [{ id: entry.id, fence: entry.fence.toString(), since }];
      });
    },
  };
}
