import type { Deps } from "../../core/deps.ts";

/** Processes an account's updates in order, in batches, retrying each until it succeeds. */
export type UpdateQueue<Item> = {
  push(item: Item): void;
  /** Resolves when everything pushed so far is processed; rejects if stopped before. */
  drained(): Promise<void>;
  /** Finishes the current batch and drops the rest; Telegram sends it again after the next start. */
  stop(): Promise<void>;
};

const MOST_AT_ONCE = 50;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

/**
 * @param store stores a batch; may get items again that it stored before a failure
 * @param onFailure called for each failed attempt of a single item; returns true to drop the item, false to retry
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
      // An item that cannot be stored must not block the others; alone it can be dropped.
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
  // Starts on the next tick, so that simultaneous items share a batch.
  const run = (): Promise<void> =>
    (pumping ??= work.track("updates", Promise.resolve().then(pump)).finally(() => {
      pumping = null;
      // An item may have arrived after the last check.
      if (waiting.length > 0 && !stopping.signal.aborted) void run();
    }));
  return {
    push(item) {
      waiting.push(item);
      void run();
    },
    async drained() {
      while (waiting.length > 0 && !stopping.signal.aborted) await run();
      if (stopping.signal.aborted) throw new Error("The account's updates are no longer processed.");
    },
    async stop() {
      stopping.abort();
      await pumping;
    },
  };
}
