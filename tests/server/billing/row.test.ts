import type { Stripe } from "stripe";
import { expect, test } from "vitest";
import { isSubscribed } from "../../../domain/subscription.ts";
import { decisiveSubscription, owedSince, readSubscription } from "../../../server/billing/row.ts";
import { newInvoice, newSubscription } from "../../../sandbox/billing/subscription-objects.ts";

const DAY = 86_400;
const START = Date.parse("2026-11-01T00:00:00Z") / 1000;
const END = START + 30 * DAY;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();

/** Returns a one-month subscription as the SDK returns it, with changes. */
const subscriptionWith = (change: Partial<Stripe.Subscription>): Stripe.Subscription => ({
  ...(newSubscription({
    now: START,
    customer: "cus_1",
    periodEnd: END,
    trialEnd: null,
    paymentMethod: "pm_1",
    pausesWithoutCard: true,
    metadata: {},
  }) as unknown as Stripe.Subscription),
  id: "sub_1",
  ...change,
});
const read = (change: Partial<Stripe.Subscription>, graceDays = 7, since: number | null = null) =>
  readSubscription(subscriptionWith(change), { graceDays, owedSince: since });
const openAt = (row: ReturnType<typeof read>, time: number) => isSubscribed(row, time * 1000);

test("takes the period's end from the items, and all else by name", () => {
  expect(read({})).toEqual({
    status: "active",
    provider_status: "active",
    plan: "Leadloom monthly",
    current_period_end: iso(END),
    trial_ends_at: null,
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    next_billing_at: iso(END),
    expires_at: null,
    past_due_since: null,
    provider_customer_id: "cus_1",
    provider_subscription_id: "sub_1",
    stripe_subscription_id: "sub_1",
    price_id: "price_leadloom_monthly",
  });
});

test("ends access on the cancellation's date, or with the period", () => {
  const atEnd = read({ cancel_at: END, cancel_at_period_end: false });
  expect(atEnd).toMatchObject({ cancel_at_period_end: true, expires_at: null, next_billing_at: null });
  expect([openAt(atEnd, END - 1), openAt(atEnd, END)]).toEqual([true, false]);
  for (const at of [START + 10 * DAY, END + 10 * DAY]) {
    const row = read({ cancel_at: at });
    expect(row).toMatchObject({ cancel_at_period_end: false, cancel_at: iso(at), expires_at: iso(at) });
    expect([openAt(row, at - 1), openAt(row, at)]).toEqual([true, false]);
  }
});

test("counts the grace period from the invoice's date, or the period's start", () => {
  const since = START + DAY;
  const row = read({ status: "past_due" }, 7, since);
  expect(row).toMatchObject({ status: "active", provider_status: "past_due", past_due_since: iso(since) });
  expect([openAt(row, since + 7 * DAY - 1), openAt(row, since + 7 * DAY)]).toEqual([true, false]);
  expect(openAt(read({ status: "past_due" }, 0, since), since)).toBe(false);
  expect(read({ status: "past_due" }).past_due_since).toBe(iso(START));
  const cancelled = { status: "past_due", cancel_at_period_end: true, cancel_at: END } as const;
  expect(read(cancelled, 7, END - 2 * DAY).expires_at).toBe(iso(END));
  expect(read(cancelled, 7, START).expires_at).toBe(iso(START + 7 * DAY));
});

test("uses the oldest of several open invoices", () => {
  const invoice = (now: number, finalized: number | null): Stripe.Invoice => {
    const made = newInvoice({
      now,
      customer: "cus_1",
      email: null,
      subscription: "sub_1",
      reason: "subscription_cycle",
      amount: 2900,
      periodStart: now,
      periodEnd: now + 1,
    }) as unknown as Stripe.Invoice;
    return { ...made, status_transitions: { ...made.status_transitions, finalized_at: finalized } };
  };
  expect(owedSince([])).toBeNull();
  expect(owedSince([invoice(300, 310), invoice(100, 110), invoice(200, null)])).toBe(110);
  expect(owedSince([invoice(300, null)])).toBe(300);
});

test("keeps the status and end of a subscription without access", () => {
  const ended = read({ status: "canceled", ended_at: START + DAY, canceled_at: START + DAY });
  expect(ended).toMatchObject({ status: "canceled", expires_at: iso(START + DAY), next_billing_at: null });
  const paused = read({ status: "paused", trial_end: START + 2 * DAY });
  expect(paused).toMatchObject({ status: "paused", expires_at: iso(START + 2 * DAY) });
  for (const status of ["incomplete", "incomplete_expired"])
    expect(read({ status })).toMatchObject({ status, expires_at: null });
  expect(read({ status: "something_new" })).toMatchObject({ status: "something_new" });
  expect(openAt(read({ status: "something_new" }), START)).toBe(false);
});

test("uses the best of several subscriptions, then the stored, then the newest", () => {
  const one = (id: string, status: string, created: number) => ({ id, status, created });
  const decide = (stored: string | null, ...all: ReturnType<typeof one>[]) =>
    decisiveSubscription(all, stored)?.id ?? null;
  expect(decide(null)).toBeNull();
  expect(decide("old", one("new", "active", 2), one("old", "active", 1))).toBe("old");
  expect(decide("old", one("new", "active", 2), one("old", "trialing", 1))).toBe("old");
  expect(decide("old", one("new", "active", 2), one("old", "unpaid", 1))).toBe("new");
  expect(decide("old", one("new", "incomplete", 2), one("old", "past_due", 1))).toBe("old");
  expect(decide("old", one("new", "canceled", 2), one("old", "canceled", 1))).toBe("new");
  expect(decide("old", one("new", "incomplete_expired", 2), one("old", "canceled", 1))).toBe("old");
  expect(decide("old", one("new", "something_new", 2), one("old", "canceled", 1))).toBe("old");
  expect(decide(null, one("new", "active", 2), one("old", "active", 1))).toBe("new");
});
