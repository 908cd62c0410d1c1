import { setImmediate as nextTurn } from "node:timers/promises";
import { createClock, realMachine, type MovableClock } from "../../server/core/clock.ts";
import type { ProcessWork } from "../../server/core/work.ts";
import { untilIdle } from "./waiting.ts";

/** A noon far in the future, within usual sending hours, so that no test depends on the time of day. */
export const NOON = Date.parse("2030-03-05T12:00:00.000Z");

/** A clock that only a test moves. `jump` moves only the product time, as the sandbox does. */
export type VirtualClock = MovableClock & {
  /** Lets `ms` pass: timers fire in order, each after the work of the previous one is done. */
  pass(ms: number): Promise<void>;
  /** Lets time pass, timer by timer, until `ask` returns a value. @throws when no timer is left before that */
  passUntil<T>(ask: () => T | null | Promise<T | null>): Promise<T>;
  /** Lets time pass, timer by timer, until the promise settles. */
  passWhile<T>(promise: Promise<T>): Promise<T>;
  /** The number of pending timers. */
  timers(): number;
};

type Timer = { at: number; run: () => void };

/** Creates a virtual clock. @param work the work that must be done between two timers */
export function createVirtualClock(work: ProcessWork, start = NOON): VirtualClock {
  let passed = 0;
  const timers = new Set<Timer>();
  const nextTimer = (until = Infinity): Timer | null => {
    let next: Timer | null = null;
    for (const timer of timers) if (timer.at <= until && (next === null || timer.at < next.at)) next = timer;
    return next;
  };
  const settle = () => untilIdle(work, { isPatient: false });
  const fire = async (timer: Timer): Promise<void> => {
    const before = work.begun();
    timers.delete(timer);
    passed = timer.at;
    timer.run();
    await nextTurn();
    if (work.begun() !== before) await settle();
  };
  const clock = createClock({
    machine: {
      wall: realMachine.wall,
      monotonic: () => passed,
      after(ms, run) {
        const timer = { at: passed + Math.max(0, ms), run };
        timers.add(timer);
        // Timers that are already due fire without the test moving the clock.
        if (ms <= 0) setImmediate(() => timers.delete(timer) && timer.run());
        return () => timers.delete(timer);
      },
    },
    base: () => start + passed,
    lookMs: Infinity,
  });
  const passUntil: VirtualClock["passUntil"] = async (ask) => {
    for (;;) {
      await settle();
      const answer = await ask();
      if (answer !== null) return answer;
      const timer = nextTimer();
      if (timer === null) throw new Error("No timer is left and the condition is not met.");
      await fire(timer);
    }
  };
  return {
    ...clock,
    async pass(ms) {
      const end = passed + ms;
      await settle();
      for (let timer = nextTimer(end); timer !== null; timer = nextTimer(end)) await fire(timer);
      passed = end;
    },
    passUntil,
    async passWhile(promise) {
      let isOver = false;
      const end = () => (isOver = true);
      promise.then(end, end);
      await passUntil(() => isOver || null);
      return promise;
    },
    timers: () => timers.size,
  };
}
