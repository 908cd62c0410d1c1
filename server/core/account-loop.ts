import { onGapSpread } from "./bus.ts";
import type { Deps, Running } from "./deps.ts";
import { createWake } from "./wake.ts";

/** What a round of work may ask of its loop. */
export type Round = {
  /** whether the account was let go, or the process ends */
  isOver: () => boolean;
  /** Sleeps so many milliseconds of the product's clock, no longer than the round goes on and `mayGoOn` (asked every second) holds. */
  rest: (ms: number, mayGoOn?: () => Promise<boolean>) => Promise<void>;
};

/** A notification that was lost without a word delays the work by no more than this. */
const IDLE_MS = 600_000;
/** The clock may be moved, and what is waited for may be called off: a rest is slept in pieces. */
const PIECE_MS = 1_000;
const RETRY_MS = 5_000;

/**
 * Does an account's work in rounds while this process holds it: one at once, one whenever its owner is told of by `wakenBy`. A round that
 * throws is done again after a rest.
 */
export function startAccountLoop(
  deps: Pick<Deps, "bus" | "clock" | "work">,
  account: { userId: string; signal: AbortSignal },
  work: {
    wakenBy: "receipt.ready" | "import.ordered";
    round: (round: Round) => Promise<void>;
    onFailure: (error: unknown) => void;
  },
): Running {
  const { bus, clock } = deps;
  let isStopping = false;
  const wake = createWake(deps, work.wakenBy, IDLE_MS);
  const isOver = () => isStopping || account.signal.aborted;
  const rest: Round["rest"] = async (ms, mayGoOn = () => Promise.resolve(true)) => {
    const until = clock.now() + ms;
    // The clock may be set back meanwhile.
    const last = clock.monotonic() + ms;
    const left = () => Math.min(until - clock.now(), last - clock.monotonic());
    while (left() > 0 && !isOver() && (await mayGoOn())) await wake.rest(Math.min(left(), PIECE_MS));
  };
  const offs = [
    bus.on(work.wakenBy, ({ owner_id }) => owner_id === account.userId && wake.call()),
    bus.on("clock.moved", wake.call),
    onGapSpread(deps, wake.call),
  ];
  account.signal.addEventListener("abort", wake.call);
  const run = async (): Promise<void> => {
    while (!isOver()) {
      try {
        await work.round({ isOver, rest });
        if (!isOver()) await wake.sleep(null);
      } catch (error) {
        work.onFailure(error);
        await rest(RETRY_MS);
      }
    }
  };
  const running = run();
  return {
    async stop() {
      isStopping = true;
      wake.call();
      await running;
      wake.close();
      offs.forEach((off) => off());
      account.signal.removeEventListener("abort", wake.call);
    },
  };
}
