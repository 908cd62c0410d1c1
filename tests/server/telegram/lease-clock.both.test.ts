import { expect, test } from "vitest";
import { createClockOffset } from "../../../server/telegram/account/clock-offset.ts";
import { createLeaseClock, type Moment } from "../../../server/telegram/account/lease-clock.ts";
import { fairShare } from "../../../server/telegram/account/shares.ts";

/** A lease of 8 s, just renewed, and clocks that can diverge. */
function leaseOf8s() {
  const now: Moment = { steady: 1_000, wall: 1_700_000_000_000 };
  const lease = createLeaseClock(8_000, () => ({ ...now }));
  lease.renew({ ...now });
  const pass = (steady: number, wall = steady) => {
    now.steady += steady;
    now.wall += wall;
  };
  return { lease, now, pass };
}

test("trusts a lease from the start of its renewal for its duration", () => {
  const { lease, now, pass } = leaseOf8s();
  pass(7_999);
  expect(lease.isHeld()).toBe(true);
  pass(1);
  expect(lease.isHeld()).toBe(false);
  lease.renew({ ...now });
  expect(lease.isHeld()).toBe(true);
});

test("trusts no lease before the first renewal or after the end", () => {
  const { lease, now } = leaseOf8s();
  lease.end();
  lease.renew({ ...now });
  expect([lease.isHeld(), createLeaseClock(8_000, () => now).isHeld()]).toEqual([false, false]);
});

test("distrusts a lease after the host slept or its clock was set", () => {
  const slept = leaseOf8s();
  slept.pass(10, 3_600_000);
  const setBack = leaseOf8s();
  setBack.pass(500, -3_600_000);
  const corrected = leaseOf8s();
  corrected.pass(500, -300);
  expect([slept, setBack, corrected].map(({ lease }) => lease.isHeld())).toEqual([false, false, true]);
});

test("shares accounts evenly within the workers' limits", () => {
  const shares = (accounts: number, ceilings: number[]) => ceilings.map((most) => fairShare(accounts, most, ceilings));
  expect(shares(10, [5_000])).toEqual([10]);
  expect(shares(10, [5_000, 5_000, 5_000])).toEqual([4, 4, 4]);
  expect(shares(10, [2, 5_000, 5_000])).toEqual([2, 4, 4]);
  expect(shares(10, [2, 2, 5_000])).toEqual([2, 2, 6]);
  expect(shares(10, [2, 2, 2])).toEqual([2, 2, 2]);
  expect(shares(0, [3, 7])).toEqual([0, 0]);
});

test("ignores an outlier or late response for Telegram's clock", () => {
  const offset = createClockOffset();
  expect(offset.read()).toBeNull();
  offset.add({ offsetMs: 60_000, tookMs: 9_000 });
  expect(offset.read()).toBeNull();
  for (const offsetMs of [20, 30, 90_000]) offset.add({ offsetMs, tookMs: 40 });
  expect(offset.read()).toBe(30);
  for (const offsetMs of [70_000, 70_010, 70_020]) offset.add({ offsetMs, tookMs: 40 });
  expect(offset.read()).toBe(70_010);
  offset.forget();
  expect(offset.read()).toBeNull();
});
