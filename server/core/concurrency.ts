import type { Readable } from "node:stream";
import type { BusyWith } from "../../domain/problem-messages.ts";
import type { Clock } from "./clock.ts";
import { refuse } from "./problem.ts";

const RETRY_AFTER_SECONDS = 3;
const SLOW_MS = 60_000;
const GIVEN_UP_MS = 900_000;

/**
 * Runs a few things at once, and fewer of each owner, in the order of arrival. Both methods throw ProblemError 503 with Retry-After when too
 * many wait or the wait is too long, and 429 when too many of them are this owner's.
 */
export type ConcurrencyLimiter = {
  run<T>(ownerId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Opens a stream that counts until it has been read, for a minute at most. A stream may last a quarter of an hour.
   */
  stream<T extends Readable>(ownerId: string, open: () => Promise<T>): Promise<T>;
};

/**
 * @param options.busyWith what is running, for the refusal
 * @param options.eachAtOnce how many of one owner run at once
 * @param options.eachWaiting how many of one owner may wait: half of all, unless given
 */
export function createConcurrencyLimiter(
  clock: Pick<Clock, "after">,
  options: {
    busyWith: BusyWith;
    atOnce: number;
    eachAtOnce?: number;
    mostWaiting: number;
    eachWaiting?: number;
    waitMs: number;
  },
): ConcurrencyLimiter {
  const { atOnce, eachAtOnce = 1, mostWaiting, eachWaiting = mostWaiting / 2, waitMs } = options;
  const running: string[] = [];
  const waiting: { ownerId: string; start: () => void }[] = [];

  const countOf = (ownerId: string): number => running.filter((each) => each === ownerId).length;
  const hasRoom = (ownerId: string): boolean => running.length < atOnce && countOf(ownerId) < eachAtOnce;
  const params = { reason: options.busyWith };
  const busy = () => refuse(503, "overloaded", params, { retryAfterSeconds: RETRY_AFTER_SECONDS });

  const wait = (ownerId: string): Promise<void> => {
    if (waiting.length >= mostWaiting) throw busy();
    const own = waiting.filter((each) => each.ownerId === ownerId).length;
    if (own >= eachWaiting)
      throw own + countOf(ownerId) === 0
        ? busy()
        : refuse(429, "too_many_requests", params, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const place = { ownerId, start: resolve };
    waiting.push(place);
    const cancel = clock.after(waitMs, () => {
      waiting.splice(waiting.indexOf(place), 1);
      reject(busy());
    });
    return promise.finally(cancel);
  };
  /** Resolves when it is this owner's turn. @returns a function that ends the turn; calling it again does nothing */
  const enter = async (ownerId: string): Promise<() => void> => {
    if (hasRoom(ownerId)) running.push(ownerId);
    else await wait(ownerId);
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      running.splice(running.indexOf(ownerId), 1);
      const next = waiting.findIndex((each) => hasRoom(each.ownerId));
      const place = next < 0 ? undefined : waiting.splice(next, 1)[0];
      if (place === undefined) return;
      running.push(place.ownerId);
      place.start();
    };
  };
  return {
    async run(ownerId, work) {
      const leave = await enter(ownerId);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async stream(ownerId, open) {
      const leave = await enter(ownerId);
      const opened = await open().catch((error: unknown) => {
        leave();
        throw error;
      });
      const timers = [clock.after(SLOW_MS, leave), clock.after(GIVEN_UP_MS, () => opened.destroy())];
      return opened.once("close", () => {
        for (const cancel of timers) cancel();
        leave();
      });
    },
  };
}
