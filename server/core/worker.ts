import { onGapSpread, type Topics } from "./bus.ts";
import type { Deps, Running } from "./deps.ts";
import type { Clock } from "./clock.ts";
import type { Work } from "./work.ts";

/** What a round of work gets from its worker. */
export type Round = {
  isOver: () => boolean;
  /** Returns the promise's value, or null if the worker stops first, so that a hanging call does not delay the stop. */
  unlessOver: <T>(promise: Promise<T>) => Promise<T | null>;
  /** Sleeps `ms` of product time, until the worker stops or `canContinue`, called every second, returns false. */
  rest: (ms: number, canContinue?: () => Promise<boolean>) => Promise<void>;
};

/** When a worker looks for work again: at once, at a product time, or when it is woken. */
export type NextRound = "now" | number | null;

/** A rest sleeps in pieces, because the clock may be moved and the rest may be cancelled. */
const PIECE_MS = 1_000;

type WorkerDeps = Pick<Deps, "clock"> & { work: Pick<Deps["work"], "begin"> };
type OwnerTopic = { [T in keyof Topics]: Topics[T] extends { owner_id: string } ? T : never }[keyof Topics];

/**
 * Runs rounds of work, one at a time, until it is stopped. Repeats a failed round after `retryMs`, which may depend on the error.
 * @param options.wakeOn subscribes the worker to news of work; returns how to unsubscribe
 * @param options.idleMs the longest sleep: a lost notification delays the work by at most this long
 * @param options.signal ends the worker as `stop` does
 */
export function runWorker(
  deps: WorkerDeps,
  options: {
    name: string;
    wakeOn: (wake: () => void) => readonly (() => void)[];
    work: (round: Round) => Promise<NextRound>;
    onFailure: (error: unknown) => void;
    idleMs: number;
    retryMs?: number | ((error: unknown) => number);
    signal?: AbortSignal;
  },
): Running {
  const { clock } = deps;
  const { retryMs = 5_000 } = options;
  const wake = createWake(deps, options.name, options.idleMs);
  const stopping = new AbortController();
  const over = AbortSignal.any([stopping.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  const isOver = () => over.aborted;
  const unlessOver: Round["unlessOver"] = async (promise) => {
    const ended = Promise.withResolvers<null>();
    const end = () => ended.resolve(null);
    over.addEventListener("abort", end);
    if (isOver()) end();
    try {
      return await Promise.race([promise, ended.promise]);
    } finally {
      over.removeEventListener("abort", end);
    }
  };
  const rest: Round["rest"] = async (ms, canContinue = () => Promise.resolve(true)) => {
    const until = clock.now() + ms;
    // The clock may be set back during the rest.
    const last = clock.monotonic() + ms;
    const left = () => Math.min(until - clock.now(), last - clock.monotonic());
    while (left() > 0 && !isOver() && (await canContinue())) await wake.rest(Math.min(left(), PIECE_MS));
  };
  const run = async (): Promise<void> => {
    while (!isOver()) {
      const [lookedAt, ticks] = [clock.now(), clock.monotonic()];
      const now = () => lookedAt + clock.monotonic() - ticks;
      const next = await options.work({ isOver, unlessOver, rest }).catch((error: unknown) => {
        options.onFailure(error);
        return now() + (typeof retryMs === "number" ? retryMs : retryMs(error));
      });
      if (next !== "now" && !isOver()) await wake.sleep(next, now());
    }
  };
  const offs = options.wakeOn(wake.call);
  over.addEventListener("abort", wake.call);
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      wake.close();
      offs.forEach((off) => off());
      over.removeEventListener("abort", wake.call);
    },
  };
}

/** Wakes a worker on a topic (one owner's part of it), when the clock moves, and after notifications may have been missed. */
export const onTopic =
  ({ bus, clock }: Pick<Deps, "bus" | "clock">, topic: OwnerTopic, ownerId?: string) =>
  (wake: () => void): (() => void)[] => [
    bus.on(topic, ({ owner_id }: { owner_id: string }) => {
      if (ownerId === undefined || owner_id === ownerId) wake();
    }),
    bus.on("clock.moved", wake),
    ownerId === undefined ? bus.onGap(wake) : onGapSpread({ bus, clock }, wake),
  ];

/**
 * Lets a loop sleep until a product time and wakes it early when called, because the clock may jump. Between sleeps the loop counts as
 * work.
 */
export type Wake = {
  /**
   * Sleeps, unless it was called since the last sleep.
   * @param until product time; null sleeps as long as `mostMs`
   * @param now the product time from which `until` was computed: if the clock was set back since, the sleep does not get longer
   */
  sleep: (until: number | null, now?: number) => Promise<void>;
  /** Sleeps for `ms` of steady time or until a call, which also wakes the next `sleep`. */
  rest: (ms: number) => Promise<void>;
  call: () => void;
  /** Ends the loop's work. */
  close: () => void;
};

/**
 * Creates the sleep of a loop.
 * @param what names the loop's work
 * @param mostMs the longest sleep: a lost notification delays the work by at most this long
 */
function createWake(
  { clock, work }: { clock: Pick<Clock, "now" | "after">; work: Pick<Work, "begin"> },
  what: string,
  mostMs: number,
): Wake {
  let rouse: (() => void) | null = null;
  let isCalled = false;
  let end = work.begin(what);
  const sleepFor = (ms: number) =>
    new Promise<void>((resolve) => {
      rouse = () => {
        cancel();
        rouse = null;
        end = work.begin(what);
        resolve();
      };
      const cancel = clock.after(Math.ceil(Math.min(mostMs, Math.max(0, ms))), rouse);
      end();
    });
  return {
    async sleep(until, now = -Infinity) {
      if (!isCalled) await sleepFor(until === null ? mostMs : until - Math.max(now, clock.now()));
      isCalled = false;
    },
    rest: sleepFor,
    call() {
      isCalled = true;
      rouse?.();
    },
    close: () => end(),
  };
}
