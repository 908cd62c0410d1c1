import { describe, expect, it } from "vitest";
import { SimulatedClock, createActor, waitFor } from "xstate";
import {
  type BillingDeps,
  billingMachine,
  createBilling,
  safeDestination,
  standingOf,
} from "../../src/machines/billing/index.ts";
import { subscriptionWith } from "../support/subscriptions.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { billingModel } from "./billing.model.ts";

walkEveryPath(billingMachine, billingModel);

describe("the billing screen's chart", () => {
  const set = (billing: Partial<BillingDeps["billing"]>, isBack = false) => {
    const seen = { opened: [] as string[], refreshed: 0, warnings: [] as string[] };
    const clock = new SimulatedClock();
    const actor = createActor(
      createBilling({
        billing: {
          openCheckout: async () => "https://checkout.stripe.com/c/1",
          openPortal: async () => "https://billing.stripe.com/p/1",
          sync: async () => "active",
          ...billing,
        },
        refreshSubscription: async () => {
          seen.refreshed += 1;
        },
        openUrl: (url) => void seen.opened.push(url),
        origin: "https://leadloom.example",
        logger: { warn: (what) => void seen.warnings.push(what) },
      }),
      { input: { isBack }, clock },
    ).start();
    return { actor, seen, clock };
  };

  it("sends the browser to the checkout once, however often the button is pressed", async () => {
    const { actor, seen } = set({});
    actor.send({ type: "checkout.open" });
    actor.send({ type: "checkout.open" });
    await waitFor(actor, (snapshot) => snapshot.matches({ provider: "leaving" }));
    expect(seen.opened).toEqual(["https://checkout.stripe.com/c/1"]);
  });

  it("has the buttons usable again for someone who comes back to the page", async () => {
    const { actor, clock } = set({});
    actor.send({ type: "portal.open" });
    await waitFor(actor, (snapshot) => snapshot.matches({ provider: "leaving" }));
    clock.increment(8_000);
    expect(actor.getSnapshot().value).toEqual({ subscription: "current", provider: "closed" });
  });

  it("opens nothing that is not safe and says so", async () => {
    const { actor, seen } = set({ openCheckout: async () => "javascript:alert(1)" });
    actor.send({ type: "checkout.open" });
    const { context } = await waitFor(actor, (snapshot) => snapshot.context.problem !== null);
    expect(context.problem).toEqual("The payment page gave an address that is not safe to open. Nothing was opened.");
    expect(seen.opened).toEqual([]);
  });

  it("synchronises and reads the subscription again when someone comes back from a checkout", async () => {
    const { actor, seen } = set({}, true);
    await waitFor(actor, (snapshot) => snapshot.matches({ subscription: "current" }));
    expect(seen).toEqual({ opened: [], refreshed: 1, warnings: [] });
  });

  it("reads the subscription again even when the synchronisation fails, and only logs that", async () => {
    const { actor, seen } = set({ sync: () => Promise.reject(new Error("503")) }, true);
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches({ subscription: "current" }));
    expect(context.problem).toEqual(null);
    expect(seen).toEqual({ opened: [], refreshed: 1, warnings: ["the subscription was not synchronised"] });
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
