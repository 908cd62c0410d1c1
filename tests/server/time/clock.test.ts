import { expect, test } from "vitest";
import { createClock, withTimeout } from "../../../server/core/clock.ts";
import { createWork } from "../../../server/core/work.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";

const MINUTE_MS = 60_000;

function setUp() {
  const work = createWork();
  const clock = createVirtualClock(work);
  /** The time of each named event, in seconds. */
  const log: string[] = [];
  const note = (what: string) => () => void log.push(`${what} ${clock.monotonic() / 1000}`);
  return { work, clock, log, note };
}

test("ends a sleep until a time on a jump of product time, but not a duration", async () => {
  const { clock, log, note } = setUp();
  void clock.sleepUntil(clock.now() + MINUTE_MS).then(note("moment"));
  void clock.sleep(MINUTE_MS).then(note("length"));
  clock.jump(2 * MINUTE_MS);
  await clock.pass(0);
  expect(log).toEqual(["moment 0"]);
  await clock.pass(MINUTE_MS);
  expect(log).toEqual(["moment 0", "length 60"]);
});

test("does not extend a sleep until a time when the clock is set back", async () => {
  const { clock, log, note } = setUp();
  void clock.sleepUntil(clock.now() + MINUTE_MS).then(note("moment"));
  clock.jump(-60 * MINUTE_MS);
  await clock.pass(MINUTE_MS);
  expect(log).toEqual(["moment 60"]);
});

test("ends a sleep until a time when the host clock is set ahead", async () => {
  const { clock: machine, log, note } = setUp();
  let ahead = 0;
  const clock = createClock({ machine, base: () => machine.now() + ahead });
  void clock.sleepUntil(clock.now() + MINUTE_MS).then(note("moment"));
  ahead = MINUTE_MS;
  await machine.pass(MINUTE_MS);
  expect(log).toEqual(["moment 1"]);
});

test("rejects an aborted sleep with the signal's reason and leaves no timer", async () => {
  const { clock } = setUp();
  const reason = new Error("stopped");
  const stopping = new AbortController();
  const sleeps = [clock.sleep(1_000, stopping.signal), clock.sleepUntil(clock.now() + 1_000, stopping.signal)];
  stopping.abort(reason);
  await expect(Promise.allSettled(sleeps)).resolves.toEqual(sleeps.map(() => ({ status: "rejected", reason })));
  await expect(clock.sleep(1_000, stopping.signal)).rejects.toBe(reason);
  expect(clock.timers()).toBe(0);
});

test("aborts on a timeout, and settles a slow promise like the fallback", async () => {
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
