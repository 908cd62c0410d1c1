import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { describe, expect, it, vi } from "vitest";
import { type AnyMachineSnapshot, waitFor } from "xstate";
import type { Subscription } from "../../domain/subscription.ts";
import { Account } from "../../src/machines/account/account.machine.ts";
import { Billing } from "../../src/machines/billing/billing.machine.ts";
import { Session, type SessionRef, selectIsFetching } from "../../src/machines/session/session.machine.ts";
import { ConnectOffer } from "../../src/views/subscribe/ConnectOffer.tsx";
import { SubscribeView } from "../../src/views/subscribe/SubscribeView.tsx";
import { accountModel } from "../machines/account.model.ts";
import { billingModel } from "../machines/billing.model.ts";
import { english } from "../support/english.ts";
import { startFakeSession } from "../support/session.ts";
import { subscriptionWith } from "../support/subscriptions.ts";
import { button, press, seen, send } from "../support/screen.ts";
import { walkEveryView } from "../support/walk-view.tsx";

const email = "ada@example.com";
const active = subscriptionWith({ status: "active", next_billing_at: "2026-12-05T00:00:00Z" });

async function sessionWith(subscription: Subscription | null, parts: Parameters<typeof startFakeSession>[1] = {}) {
  const { session, signIn } = startFakeSession(subscription, parts);
  signIn();
  await waitFor(session, (snapshot) => snapshot.matches("signedIn") && !selectIsFetching(snapshot));
  return session;
}

const unsubscribed = await sessionWith(null);
const subscribed = await sessionWith(active);

const showBilling = (
  session: SessionRef,
  logic = billingModel.machine,
  options: object = {},
  next: ReactNode = null,
) => (
  <Session.ActorProvider value={session}>
    <Billing.Provider logic={logic} options={{ input: { isBack: false }, ...options }}>
      <Account.Provider logic={accountModel.machine} options={{ input: { email } }}>
        <SubscribeView next={next} />
      </Account.Provider>
    </Billing.Provider>
  </Session.ActorProvider>
);

const seePlan = (name: string) => (state: AnyMachineSnapshot) => {
  const isOpening = !state.matches({ provider: "closed" });
  expect(screen.getByRole("button", { name }).getAttribute("aria-busy")).toEqual(isOpening ? "true" : null);
  expect(seen(/^Checking your latest payment/)).toEqual(state.matches({ subscription: "syncing" }));
  expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(english(state.context.problem ?? ""));
};

const OTHER_PLAN = "the walk over the other subscription takes it";

describe.each([
  ["someone without a subscription", unsubscribed, "Subscribe with Stripe", "checkout.open"],
  ["a subscriber", subscribed, "Manage Billing", "portal.open"],
])("the billing screen of %s", async (_who, session, name, reachable) => {
  const model = {
    ...billingModel,
    allow: (_state: unknown, event: { type: string }) => !event.type.endsWith(".open") || event.type === reachable,
  };
  const [other, otherEvent, otherActor] =
    reachable === "checkout.open"
      ? ["openingPortal", "portal.open", "openPortal"]
      : ["openingCheckout", "checkout.open", "openCheckout"];
  walkEveryView({
    model,
    show: (logic, options) => showBilling(session, logic, options),
    gestures: { [reachable]: press(() => screen.queryByRole("button", { name })) },
    outOfReach: {
      [`billing.provider.closed | ${otherEvent} | 0`]: OTHER_PLAN,
      [`billing.provider.${other} | xstate.done.actor.${otherActor} | 0`]: OTHER_PLAN,
      [`billing.provider.${other} | xstate.done.actor.${otherActor} | 1`]: OTHER_PLAN,
      [`billing.provider.${other} | xstate.error.actor.${otherActor} | 0`]: OTHER_PLAN,
    },
    see: seePlan(name),
  });
});

describe("the account panel", () => {
  walkEveryView({
    model: accountModel,
    show: (logic, options) => (
      <Session.ActorProvider value={subscribed}>
        <Billing.Provider logic={billingModel.machine} options={{ input: { isBack: false } }}>
          <Account.Provider logic={logic} options={options}>
            <SubscribeView />
          </Account.Provider>
        </Billing.Provider>
      </Session.ActorProvider>
    ),
    gestures: {
      "export.request": press("Export my data"),
      "deletion.open": press("Delete account…"),
      "deletion.cancel": press("Keep my account"),
      "deletion.confirm": send("Delete account for good", ({ email: typed, password }) => ({
        "Your email, to confirm": typed,
        "Your password": password,
      })),
    },
    see(state) {
      const isOpen = state.matches("awaitingConfirmation") || state.matches("deleting");
      expect(button("Delete account for good") !== null).toEqual(isOpen);
      expect(button("Export my data") !== null).toEqual(!isOpen);
      expect(screen.queryByRole("alert")?.textContent ?? "").toEqual(english(state.context.problem ?? ""));
    },
  });
});

describe("the billing screen", () => {
  it.each([
    [
      "nothing",
      null,
      ["🚫 Subscription Required", "You don’t have an active subscription. Subscribe to unlock features."],
    ],
    [
      "an active plan",
      active,
      ["✅ Subscription Active", "Your subscription is active.", "Renews on 5 December 2026."],
    ],
    [
      "a plan set to end",
      subscriptionWith({ status: "active", cancel_at_period_end: true, current_period_end: "2026-12-01T09:00:00Z" }),
      [
        "✅ Subscription Active",
        "Your plan will end at the end of the billing cycle.",
        "You keep every feature until 1 December 2026.",
      ],
    ],
    [
      "a trial",
      subscriptionWith({
        status: "trialing",
        trial_ends_at: "2026-12-03T00:00:00Z",
        next_billing_at: "2026-12-04T00:00:00Z",
      }),
      ["✅ Subscription Active", "Your subscription is active.", "Your free trial lasts until 3 December 2026."],
    ],
    [
      "a plan that ends before its period",
      subscriptionWith({
        status: "active",
        expires_at: "2026-12-02T00:00:00Z",
        current_period_end: "2026-12-20T00:00:00Z",
      }),
      ["✅ Subscription Active", "Your subscription is active.", "You keep every feature until 2 December 2026."],
    ],
    [
      "a plan past its expiry",
      subscriptionWith({ status: "active", expires_at: "2026-11-01T09:00:00Z" }),
      [
        "🚫 Subscription Required",
        "Your access has ended on 1 November 2026. Please start a new subscription to go on where you left off.",
      ],
    ],
  ])("explains %s", async (_what, subscription, words) => {
    render(showBilling(await sessionWith(subscription)));
    for (const text of words) expect([text, seen(text)]).toEqual([text, true]);
  });

  it("logs out and switches account", async () => {
    const signOut = vi.fn<() => Promise<void>>(async () => {});
    const session = await sessionWith(active, { auth: { signOut } });
    render(showBilling(session));
    await userEvent.click(screen.getByRole("button", { name: "Log out and switch account" }));
    await act(() => waitFor(session, (snapshot) => snapshot.matches("signedOut")));
    expect(signOut).toHaveBeenCalledOnce();
  });

  it.each<[string, Subscription | null, () => Promise<boolean>, string | null]>([
    ["none was connected yet", active, async () => false, "/connect-telegram"],
    ["one was connected before", active, async () => true, null],
    ["that cannot be read", active, () => Promise.reject(new Error("503")), null],
    ["nothing was paid", null, async () => false, null],
  ])("offers to connect only a new account after a payment: %s", async (_when, subscription, read, href) => {
    const offer = <ConnectOffer readWasConnected={read} logger={{ warn: () => {} }} />;
    const session = await sessionWith(subscription);
    render(showBilling(session, billingModel.machine, {}, offer));
    await act(async () => {});
    expect(screen.queryByRole("link", { name: "Connect Telegram" })?.getAttribute("href") ?? null).toEqual(href);
  });
});
