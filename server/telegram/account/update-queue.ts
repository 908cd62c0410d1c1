import type { Deps } from "../../core/deps.ts";

/** What an account's updates go through: in order, in batches, each tried again until it is done. */
export type UpdateQueue<Item> = {
  push(item: Item): void;
  /** Resolves when everything pushed so far is done; rejects when it was stopped before. */
  drained(): Promise<void>;
  /** Lets the batch in hand finish and drops the rest: Telegram gives it again after the next start. */
  stop(): Promise<void>;
};

const MOST_AT_ONCE = 50;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

/**
 * @param store takes a batch; what it took before it failed it is given again
 * @param onFailure hears of each failed try of a single item; answers whether to give it up (true) or to try again
 */
export function createUpdateQueue<Item>(
  { clock, work }: Pick<Deps, "clock" | "work">,
  store: (batch: readonly Item[]) => Promise<void>,
  onFailure: (error: unknown, tries: number) => Promise<boolean>,
): UpdateQueue<Item> {
  const stopping = new AbortController();
  const waiting: Item[] = [];
  let pumping: Promise<void> | null = null;

  const untilStored = async (item: Item): Promise<void> => {
    for (let tries = 1; !stopping.signal.aborted; tries += 1) {
      try {
        return await store([item]);
      } catch (error) {
        if (await onFailure(error, tries).catch(() => false)) return;
        const ms = Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), LAST_RETRY_MS);
        await clock.sleep(ms, stopping.signal).catch(() => {});
      }
    }
  };
  const pump = async (): Promise<void> => {
    while (waiting.length > 0 && !stopping.signal.aborted) {
      const batch = waiting.slice(0, MOST_AT_ONCE);
      // One item that cannot be stored must not hold up those beside it: alone it may be given up.
      const stored =
        batch.length > 1 &&
        (await store(batch).then(
          () => true,
          () => false,
        ));
      if (!stored) for (const item of batch) await untilStored(item);
      if (!stopping.signal.aborted) waiting.splice(0, batch.length);
    }
  };
  // Begins a moment later: what arrives together goes into the same batch.
  const run = (): Promise<void> =>
    (pumping ??= work.track("updates", Promise.resolve().then(pump)).finally(() => {
      pumping = null;
      // An item may have come after the pump's last look.
      if (waiting.length > 0 && !stopping.signal.aborted) void run();
    }));
  return {
    push(item) {
      waiting.push(item);
      void run();
    },
    async drained() {
      while (waiting.length > 0 && !stopping.signal.aborted) await run();
      if (stopping.signal.aborted) throw new Error("The account's updates are no longer taken.");
    },
    async stop() {
      stopping.abort();
      await pumping;
    },
  };
}
