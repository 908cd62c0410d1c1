import type { Readable } from "node:stream";
import { ProblemError } from "./problem.ts";

const RETRY_AFTER_SECONDS = 3;

/** Lets few in at once, each owner alone, in the order of arrival. */
export type Turnstile = {
  /**
   * Resolves when it is this owner's turn, to what must be called afterwards, once.
   * @throws ProblemError 503 with Retry-After when too many wait, or the wait is too long
   */
  enter(ownerId: string): Promise<() => void>;
};

/**
 * @param options.busyWith what those inside do, to stand before a full stop: told to whoever is turned away
 * @param options.mostWaiting how many may wait; half of them may be one owner's
 * @param options.waitMs how long one may wait
 */
export function createTurnstile(options: {
  busyWith: string;
  atOnce: number;
  mostWaiting: number;
  waitMs: number;
}): Turnstile {
  const inside = new Set<string>();
  const waiting: { ownerId: string; admit: () => void }[] = [];

  const leaveOf = (ownerId: string) => {
    inside.add(ownerId);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      inside.delete(ownerId);
      const next = inside.size < options.atOnce ? waiting.findIndex((each) => !inside.has(each.ownerId)) : -1;
      if (next >= 0) waiting.splice(next, 1)[0]?.admit();
    };
  };
  const busy = () =>
    new ProblemError(503, "overloaded", `${options.busyWith}. Try again in a few seconds.`, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  return {
    async enter(ownerId) {
      if (inside.size < options.atOnce && !inside.has(ownerId)) return leaveOf(ownerId);
      const own = waiting.filter((each) => each.ownerId === ownerId).length;
      if (waiting.length >= options.mostWaiting || own >= options.mostWaiting / 2) throw busy();
      return new Promise((resolve, reject) => {
        const place = {
          ownerId,
          admit: () => {
            clearTimeout(timer);
            resolve(leaveOf(ownerId));
          },
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(place), 1);
          reject(busy());
        }, options.waitMs);
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
export function leaveWith(answer: Readable, leave: () => void): void {
  const slow = setTimeout(leave, SLOW_MS).unref();
  const givenUp = setTimeout(() => answer.destroy(), GIVEN_UP_MS).unref();
  answer.once("close", () => {
    clearTimeout(slow);
    clearTimeout(givenUp);
    leave();
  });
}
