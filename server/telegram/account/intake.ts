/** Work of one account in order, one at a time; a failed piece is tried again until it is done. */
export type Intake = {
  push(work: () => Promise<void>): void;
  /** Resolves when everything pushed so far is done; rejects when the intake was stopped before. */
  drained(): Promise<void>;
  /** Lets the piece in hand finish and drops the rest: Telegram gives it again after the next start. */
  stop(): Promise<void>;
};

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 5_000;

/**
 * @param onFailure hears of each failed try; answers whether to give the piece up (true) or to try again
 */
export function createIntake(onFailure: (error: unknown, tries: number) => Promise<boolean>): Intake {
  const stopping = new AbortController();
  let tail: Promise<void> = Promise.resolve();

  const untilDone = async (work: () => Promise<void>): Promise<void> => {
    for (let tries = 1; !stopping.signal.aborted; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (await onFailure(error, tries).catch(() => false)) return;
        await pause(Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), LAST_RETRY_MS), stopping.signal);
      }
    }
  };
  return {
    push(work) {
      tail = tail.then(() => untilDone(work));
    },
    async drained() {
      await tail;
      if (stopping.signal.aborted) throw new Error("The account's intake has stopped.");
    },
    async stop() {
      stopping.abort();
      await tail;
    },
  };
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
