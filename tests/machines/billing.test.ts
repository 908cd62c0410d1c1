import { describe, expect, it } from "vitest";
import { type ContextFrom, SimulatedClock, createActor } from "xstate";
import {
  type BillingDeps,
  billingMachine,
  createBilling,
  safeDestination,
  standingOf,
} from "../../src/machines/billing/index.ts";
import type { Visit } from "../support/invariants.ts";
import { fakePage, settle } from "../support/page.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { subscriptionWith } from "../support/subscriptions.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { billingModel } from "./billing.model.ts";

const UNSAFE = "The payment page gave an address that is not safe to open. Nothing was opened.";
type Billing = ContextFrom<typeof billingMachine>;
const notOpened = ({ event, context }: Visit<Billing>) =>
  expect([event.output, context.problem]).toEqual([null, UNSAFE]);
const notAnswered =
  (problem: string) =>
  ({ context }: Visit<Billing>) =>
    expect(context.problem).toEqual(problem);
const opens = ({ context, event, effects }: Visit<Billing>) =>
  expect([context.destination, effects]).toEqual([event.output, { openUrl: { url: event.output } }]);

walkEveryPath(billingMachine, billingModel, {
  "subscription.arriving": { after: [] },
  "subscription.syncing": {
    after: { start: ({ context }) => expect(context.isBack).toEqual(true) },
    holds: isCalling("syncSubscription"),
  },
  "subscription.current": {
    after: {
      start: ({ context }) => expect(context.isBack).toEqual(false),
      "done syncSubscription": null,
      "error syncSubscription": null,
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

describe("the billing screen", () => {
  const start = async (billing: Partial<BillingDeps["billing"]>, isBack = false) => {
    const page = fakePage();
    const opened: string[] = [];
    const seen = { refreshes: 0 };
    const logic = createBilling({
      ...page,
      billing: {
        openCheckout: async () => "https://checkout.stripe.com/c/1",
        openPortal: async () => "https://billing.stripe.com/p/1",
        sync: async () => "active",
        ...billing,
      },
      refreshSubscription: async () => {
        seen.refreshes += 1;
      },
      openUrl: (url) => void opened.push(url),
      origin: "https://leadloom.example",
    });
    const clock = new SimulatedClock();
    const chart = createActor(logic, { input: { isBack }, clock }).start();
    await settle();
    return { ...page, opened, seen, chart, clock };
  };

  it("sends the browser to the checkout once, however often the button is pressed", async () => {
    const { chart, opened } = await start({});
    chart.send({ type: "checkout.open" });
    chart.send({ type: "checkout.open" });
    await settle();
    expect(opened).toEqual(["https://checkout.stripe.com/c/1"]);
  });

  it("has usable buttons again when the user comes back after 8 s", async () => {
    const { chart, clock } = await start({});
    chart.send({ type: "portal.open" });
    await settle();
    clock.increment(8_000);
    expect(chart.getSnapshot().value).toEqual({ subscription: "current", provider: "closed" });
  });

  it("opens nothing that is not safe and says so", async () => {
    const { chart, opened } = await start({ openCheckout: async () => "javascript:alert(1)" });
    chart.send({ type: "checkout.open" });
    await settle();
    expect([chart.getSnapshot().context.problem, opened]).toEqual([UNSAFE, []]);
  });

  it("reads the subscription again after a checkout", async () => {
    const { seen, logged } = await start({}, true);
    expect([seen.refreshes, logged]).toEqual([1, []]);
  });

  it("reads the subscription again when the synchronisation fails, and only logs that", async () => {
    const { chart, seen, logged } = await start({ sync: () => Promise.reject(new Error("503")) }, true);
    expect([seen.refreshes, chart.getSnapshot().context.problem]).toEqual([1, null]);
    expect(logged).toEqual(["the subscription was not synchronised"]);
  });
});

describe("a destination outside", () => {
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
    "JaVaScRiPt:alert(1)",
    "\tjavascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://leadloom.example/1",
    "file:///etc/passwd",
    "vbscript:x",
    "http://checkout.stripe.com/c",
    "//evil.example/x".replace("//", "http://"),
    "http://localhost.evil.example/",
    "https://leadloom.example@evil.example/",
    "https://user:secret@checkout.stripe.com/",
    "http://",
    "https://",
    "ftp://checkout.stripe.com/",
    "tg://login?token=x",
  ])("%s is refused", (url) => expect(safeDestination(url, origin)).toEqual(null));
});

describe("what the billing screen says of a subscription", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  it.each([
    ["none at all", null, false, { kind: "none" }],
    [
      "an active one",
      subscriptionWith({ status: "active", next_billing_at: "2026-12-05T00:00:00Z" }),
      true,
      { kind: "active", renewsAt: "2026-12-05T00:00:00Z" },
    ],
    [
      "one that is set to end",
      subscriptionWith({ status: "trialing", cancel_at_period_end: true, current_period_end: "2026-12-01T00:00:00Z" }),
      true,
      { kind: "ending", endsAt: "2026-12-01T00:00:00Z" },
    ],
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
    ["one never paid", subscriptionWith({ status: "incomplete" }), false, { kind: "none" }],
  ])("%s", (_name, subscription, isSubscribed, expected) =>
    expect(standingOf(subscription, isSubscribed, now)).toEqual(expected),
  );
});
