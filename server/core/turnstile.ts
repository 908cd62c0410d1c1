import type { Readable } from "node:stream";
import type { Clock } from "./clock.ts";
import { ProblemError, tooMany } from "./problem.ts";

const RETRY_AFTER_SECONDS = 3;

/** Lets few in at once, and fewer of each owner, in the order of arrival. */
export type Turnstile = {
  /**
   * Resolves when it is this owner's turn, to what must be called afterwards, once.
   * @throws ProblemError 503 with Retry-After when too many wait, or the wait is too long; 429 when too many of them are this owner's
   */
  enter(ownerId: string): Promise<() => void>;
};

/**
 * @param options.busyWith what those inside do, to stand before a full stop: told to whoever is turned away
 * @param options.eachAtOnce how many of one owner are let in at once; one, unless told otherwise
 * @param options.mostWaiting how many may wait
 * @param options.eachWaiting how many of one owner may wait: half of those, unless told otherwise
 * @param options.waitMs how long one may wait
 */
export function createTurnstile(
  clock: Pick<Clock, "after">,
  options: {
    busyWith: string;
    atOnce: number;
    eachAtOnce?: number;
    mostWaiting: number;
    eachWaiting?: number;
    waitMs: number;
  },
): Turnstile {
  const { atOnce, eachAtOnce = 1, mostWaiting, eachWaiting = mostWaiting / 2 } = options;
  const inside = new Map<string, number>();
  let insideInAll = 0;
  const waiting: { ownerId: string; admit: () => void }[] = [];

  const hasRoom = (ownerId: string): boolean => insideInAll < atOnce && (inside.get(ownerId) ?? 0) < eachAtOnce;
  const count = (ownerId: string, change: 1 | -1) => {
    const left = (inside.get(ownerId) ?? 0) + change;
    if (left === 0) inside.delete(ownerId);
    else inside.set(ownerId, left);
    insideInAll += change;
  };
  const leaveOf = (ownerId: string) => {
    count(ownerId, 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      count(ownerId, -1);
      const next = waiting.findIndex((each) => hasRoom(each.ownerId));
      if (next >= 0) waiting.splice(next, 1)[0]?.admit();
    };
  };
  const words = `${options.busyWith}. Try again in a few seconds.`;
  const busy = () => new ProblemError(503, "overloaded", words, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return {
    async enter(ownerId) {
      if (hasRoom(ownerId)) return leaveOf(ownerId);
      if (waiting.length >= mostWaiting) throw busy();
      if (waiting.filter((each) => each.ownerId === ownerId).length >= eachWaiting)
        throw tooMany(words, RETRY_AFTER_SECONDS);
      return new Promise((resolve, reject) => {
        const place = {
          ownerId,
          admit: () => {
            cancel();
            resolve(leaveOf(ownerId));
          },
        };
        const cancel = clock.after(options.waitMs, () => {
          waiting.splice(waiting.indexOf(place), 1);
          reject(busy());
        });
        waiting.push(place);
      });
    },
  };
}

const SLOW_MS = 60_000;
const GIVEN_UP_MS = 900_000;

/**
 * Gives a place back when what was let in has been read. Who reads slowly costs little: after a minute the place is the next one's, and in
 * the end the answer is broken off, so that nobody keeps more and more of them open.
 */
export function leaveWith(clock: Pick<Clock, "after">, answer: Readable, leave: () => void): void {
  const timers = [clock.after(SLOW_MS, leave), clock.after(GIVEN_UP_MS, () => answer.destroy())];
  answer.once("close", () => {
    for (const cancel of timers) cancel();
    leave();
  });
}
