import { expect, test } from "vitest";
import { createClock, withTimeout } from "../../../server/core/clock.ts";
import { createWork } from "../../../server/core/work.ts";
import { createVirtualClock, NOON } from "../../support/virtual-clock.ts";

const MINUTE_MS = 60_000;

function setUp() {
  const work = createWork();
  const clock = createVirtualClock(work);
  /** Notes when each of the named things happened, in seconds. */
  const log: string[] = [];
  const note = (what: string) => () => void log.push(`${what} ${clock.monotonic() / 1000}`);
  return { work, clock, log, note };
}

test("timers fire in order, each at its time", async () => {
  const { clock, log, note } = setUp();
  clock.after(2_000, note("second"));
  clock.after(1_000, note("first"));
  const stop = clock.every(1_500, note("tick"));
  clock.after(3_500, note("not yet"));
  await clock.pass(3_000);
  expect(log).toEqual(["first 1", "tick 1.5", "second 2", "tick 3"]);
  stop();
  await clock.pass(400);
  expect(log).toHaveLength(4);
  expect(clock.now()).toBe(NOON + 3_400);
});

test("the next timer waits for the work of the one before", async () => {
  const { clock, work, log, note } = setUp();
  const write = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    note("written")();
  };
  clock.after(1_000, () => void work.track("write", write()));
  clock.after(1_001, note("next"));
  await clock.pass(MINUTE_MS);
  expect(log).toEqual(["written 1", "next 1.001"]);
});

test("a sleep until a moment ends when product time jumps there; a sleep of some length does not", async () => {
  const { clock, log, note } = setUp();
  void clock.sleepUntil(clock.now() + MINUTE_MS).then(note("moment"));
  void clock.sleep(MINUTE_MS).then(note("length"));
  clock.jump(2 * MINUTE_MS);
  await clock.pass(0);
  expect(log).toEqual(["moment 0"]);
  await clock.pass(MINUTE_MS);
  expect(log).toEqual(["moment 0", "length 60"]);
});

test("a sleep until a moment is no longer than it was when the clock is set back", async () => {
  const { clock, log, note } = setUp();
  void clock.sleepUntil(clock.now() + MINUTE_MS).then(note("moment"));
  clock.jump(-60 * MINUTE_MS);
  await clock.pass(MINUTE_MS);
  expect(log).toEqual(["moment 60"]);
});

test("a sleep until a moment notices a host clock that is set ahead without notice", async () => {
  const { clock: machine, log, note } = setUp();
  let ahead = 0;
  const clock = createClock({ machine, base: () => machine.now() + ahead });
  void clock.sleepUntil(clock.now() + MINUTE_MS).then(note("moment"));
  ahead = MINUTE_MS;
  await machine.pass(MINUTE_MS);
  expect(log).toEqual(["moment 1"]);
});

test("an aborted sleep rejects with the signal's reason and leaves no timer", async () => {
  const { clock } = setUp();
  const reason = new Error("stopped");
  const stopping = new AbortController();
  const sleeps = [clock.sleep(1_000, stopping.signal), clock.sleepUntil(clock.now() + 1_000, stopping.signal)];
  stopping.abort(reason);
  await expect(Promise.allSettled(sleeps)).resolves.toEqual(sleeps.map(() => ({ status: "rejected", reason })));
  await expect(clock.sleep(1_000, stopping.signal)).rejects.toBe(reason);
  expect(clock.timers()).toBe(0);
});

test("a timeout aborts, and a promise that takes longer settles like the fallback", async () => {
  const { clock } = setUp();
  const timeout = clock.timeout(1_000);
  const late = withTimeout(clock, 1_000, new Promise(() => {}), () => "late");
  const refused = withTimeout(clock, 1_000, new Promise(() => {}), () => Promise.reject(new Error("too late")));
  const inTime = withTimeout(clock, 1_000, Promise.resolve("in time"), () => "late");
  const all = Promise.allSettled([late, refused, inTime]);
  await clock.pass(999);
  expect(timeout.aborted).toBe(false);
  await clock.pass(1);
  expect(timeout.reason).toMatchObject({ name: "TimeoutError" });
  expect(await all).toMatchObject([{ value: "late" }, { reason: { message: "too late" } }, { value: "in time" }]);
  expect(clock.timers()).toBe(0);
});

test("the real clock sleeps and wakes", async () => {
  const clock = createClock({ offset: MINUTE_MS });
  const from = clock.monotonic();
  await clock.sleep(1);
  await clock.sleepUntil(clock.now() + 1);
  await new Promise<void>((resolve) => clock.after(1, resolve));
  await new Promise<void>((resolve) => {
    const stop = clock.every(1, () => {
      stop();
      resolve();
    });
  });
  expect(clock.monotonic()).toBeGreaterThan(from);
  expect(clock.now()).toBeGreaterThan(clock.wall());
});
