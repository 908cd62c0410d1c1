import { describe, expect, it } from "vitest";
import { createBilling, safeDestination, standingOf } from "../../src/machines/billing/billing.machine.ts";
import { type VisitOf, isCalling, unchecked, walkEveryPath } from "../support/invariants.ts";
import { fakePage, openJourney } from "../support/page.ts";
import { subscriptionWith } from "../support/subscriptions.ts";
import { billingModel } from "./billing.model.ts";

const UNSAFE = "The payment page gave an address that is not safe to open. Nothing was opened.";
type Visited = VisitOf<typeof billingModel>;
const notOpened = ({ event, context }: Visited) => expect([event.output, context.problem]).toEqual([null, UNSAFE]);
const notAnswered =
  (problem: string) =>
  ({ context }: Visited) =>
    expect(context.problem).toEqual(problem);
const opens = ({ context, event, effects }: Visited) =>
  expect([context.destination, effects]).toEqual([event.output, { openUrl: { url: event.output } }]);

walkEveryPath(billingModel, {
  "subscription.arriving": { after: [] },
  "subscription.syncing": {
    after: { start: ({ context }) => expect(context.isBack).toEqual(true) },
    holds: isCalling("syncSubscription"),
  },
  "subscription.current": {
    after: {
      ...unchecked("done syncSubscription", "error syncSubscription"),
      start: ({ context }) => expect(context.isBack).toEqual(false),
    },
  },
  "provider.closed": {
    accepts: ["checkout.open", "portal.open"],
    after: {
      start: ({ context }) => expect(context).toMatchObject({ destination: "", problem: null }),
      "after departure": null,
      "done openCheckout": notOpened,
      "done openPortal": notOpened,
      "error openCheckout": notAnswered("The payment page could not be opened. Try again."),
      "error openPortal": notAnswered("The payment page could not be opened. Try again."),
    },
  },
  "provider.openingCheckout": {
    after: { "checkout.open": ({ context }) => expect(context.problem).toEqual(null) },
    holds: isCalling("openCheckout"),
  },
  "provider.openingPortal": {
    after: { "portal.open": ({ context }) => expect(context.problem).toEqual(null) },
    holds: isCalling("openPortal"),
  },
  "provider.leaving": { after: { "done openCheckout": opens, "done openPortal": opens } },
});

it.each([
  ["succeeds", async () => "active", []],
  ["fails", () => Promise.reject(new Error("503")), ["the subscription was not synchronised"]],
])("refreshes the subscription after a checkout when the sync %s", async (_how, sync, logged) => {
  const page = fakePage();
  const opened: string[] = [];
  let refreshes = 0;
  const logic = createBilling(page, {
    refreshSubscription: async () => void (refreshes += 1),
    billing: { sync, openCheckout: async () => "javascript:alert(1)", openPortal: async () => "https://stripe.com/" },
    openUrl: (url) => void opened.push(url),
  });
  const { go, context } = await openJourney(logic, { input: { isBack: true } });
  expect([refreshes, page.logged]).toEqual([1, logged]);
  await go({ type: "checkout.open" });
  expect(context().problem).toEqual(UNSAFE);
  await go({ type: "portal.open" });
  expect(opened).toEqual(["https://stripe.com/"]);
});

describe("an external destination", () => {
  const origin = "https://leadloom.example";
  it.each([
    ["https://checkout.stripe.com/c/pay", "https://checkout.stripe.com/c/pay"],
    ["/sandbox/billing/checkout/1", "https://leadloom.example/sandbox/billing/checkout/1"],
    ["http://127.0.0.1:3000/sandbox/x", "http://127.0.0.1:3000/sandbox/x"],
    ["http://localhost:3000/x", "http://localhost:3000/x"],
    ["http://[::1]:3000/x", "http://[::1]:3000/x"],
  ])("%s is followed", (url, expected) => expect(safeDestination(url, origin)).toEqual(expected));

  it.each([
    "javascript:alert(1)",
    "\tjavascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "http://checkout.stripe.com/c",
    "http://localhost.evil.example/",
    "https://leadloom.example@evil.example/",
    "https://user:secret@checkout.stripe.com/",
    "http://",
    "tg://login?token=x",
  ])("%s is refused", (url) => expect(safeDestination(url, origin)).toEqual(null));
});

describe("the billing screen's text for a subscription", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  it.each([
    [
      "one past its expiry",
      subscriptionWith({ status: "active", expires_at: "2026-11-01T00:00:00Z", cancel_at: "2026-10-01T00:00:00Z" }),
      false,
      { kind: "ended", endedAt: "2026-11-01T00:00:00Z" },
    ],
    [
      "a cancelled one past its period, with the cancel date first",
      subscriptionWith({
        status: "active",
        cancel_at_period_end: true,
        cancel_at: "2026-10-31T00:00:00Z",
        current_period_end: "2026-11-01T00:00:00Z",
      }),
      false,
      { kind: "ended", endedAt: "2026-10-31T00:00:00Z" },
    ],
    [
      "one whose last payment failed",
      subscriptionWith({
        status: "active",
        provider_status: "past_due",
        expires_at: "2026-11-28T00:00:00Z",
        next_billing_at: "2026-11-24T00:00:00Z",
        current_period_end: "2026-12-21T00:00:00Z",
      }),
      true,
      { kind: "ending", endsAt: "2026-11-28T00:00:00Z", endsWithPeriod: false },
    ],
    ["one never paid", subscriptionWith({ status: "incomplete" }), false, { kind: "none" }],
  ])("%s", (_name, subscription, isSubscribed, expected) =>
    expect(standingOf(subscription, isSubscribed, now)).toEqual(expected),
  );
});
