import * as v from "valibot";
import { expect, test } from "vitest";
import { hasExpired, isSubscribed, Subscription, willEnd } from "../../domain/subscription.ts";
import { accessCases, NOW } from "../support/access-cases.ts";

const wrong = (isOpen: (row: (typeof accessCases)[number]["row"]) => boolean) =>
  accessCases.filter((item) => isOpen(item.row) !== item.isOpen).map(({ name }) => name);

test("allows exactly 112 of 1,152 subscription records: paid and not expired", () => {
  expect(accessCases).toHaveLength(1_152);
  expect(accessCases.filter(({ isOpen }) => isOpen)).toHaveLength(112);
  expect(wrong((row) => isSubscribed(row, NOW))).toEqual([]);
});

test("decides the same for a record from the server's response", () => {
  const read = (row: (typeof accessCases)[number]["row"]) => (row === null ? null : v.parse(Subscription, row));
  expect(wrong((row) => isSubscribed(read(row), NOW))).toEqual([]);
});

test("ends access in the exact millisecond of the expiry", () => {
  const row = {
    status: "active",
    expires_at: new Date(NOW).toISOString(),
    current_period_end: null,
    cancel_at_period_end: false,
  };
  expect([isSubscribed(row, NOW - 1), isSubscribed(row, NOW)]).toEqual([true, false]);
  expect([hasExpired(row, NOW - 1), hasExpired(row, NOW), hasExpired(null, NOW)]).toEqual([false, true, false]);
});

test("shows a cancelled plan as ending until it has ended", () => {
  expect(willEnd({ status: "active", cancel_at_period_end: true })).toBe(true);
  expect(willEnd({ status: "trialing", cancel_at_period_end: true })).toBe(true);
  expect(willEnd({ status: "active", cancel_at_period_end: false })).toBe(false);
  expect(willEnd({ status: "canceled", cancel_at_period_end: true })).toBe(false);
  expect(willEnd({ status: null, cancel_at_period_end: true })).toBe(false);
});
