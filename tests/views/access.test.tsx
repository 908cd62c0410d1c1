import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { type AnyEventObject, createActor } from "xstate";
import type { Subscription } from "../../domain/subscription.ts";
import { AccountProvider, accountMachine } from "../../src/machines/account/index.ts";
import { BillingProvider, billingMachine } from "../../src/machines/billing/index.ts";
import { SessionProvider, selectAccess, sessionMachine, useSession } from "../../src/machines/session/index.ts";
import { CheckingView } from "../../src/views/shell/CheckingView.tsx";
import { UncheckedView } from "../../src/views/shell/UncheckedView.tsx";
import { SubscribeView } from "../../src/views/subscribe/SubscribeView.tsx";
import { press } from "../support/gestures.ts";
import { NOON, ada } from "../support/session.ts";
import { subscriptionWith } from "../support/subscriptions.ts";
import { overPending } from "../support/walk-suite.ts";
import { type WalkedView, disagreementsInPairs } from "../support/walk-view.tsx";

const email = "ada@example.com";
const active = subscriptionWith({ status: "active", next_billing_at: "2026-12-05T00:00:00Z" });

describe("what the subscription says of access, while it is read anew", () => {
  let tell: (event: AnyEventObject) => void = () => {};
  const reads = (subscription: Subscription | null) => ({
    type: "xstate.done.actor.fetchSubscription",
    output: { subscription, at: NOON },
  });

  const provide = overPending(sessionMachine);

  function Screen() {
    const access = useSession(selectAccess);
    if (access === "checking" || access === "unchecked")
      return access === "checking" ? <CheckingView /> : <UncheckedView />;
    return (
      <BillingProvider logic={billingMachine} options={{ input: { isBack: false } }}>
        <AccountProvider logic={accountMachine} options={{ input: { email } }}>
          <SubscribeView />
        </AccountProvider>
      </BillingProvider>
    );
  }

  const walk: Omit<WalkedView, "see"> = {
    machine: sessionMachine,
    model: {
      events: [
        ...["session.started", "recovery.started", "user.updated", "token.refreshed"].map((type) => ({
          type,
          session: { user: ada, accessToken: "token-1" },
        })),
        reads(active),
        reads(null),
        { type: "xstate.error.actor.fetchSubscription", error: new Error("offline") },
      ],
      delays: { checkLimit: 5_000, accessSpan: 86_400_000 },
      provide,
    },
    allowBeside: (state, { type }) => type !== "session.started" || state.matches("checking"),
    show(services, { input: _input, ...options }) {
      const session = createActor(provide(services) as typeof sessionMachine, options).start();
      tell = (event) => session.send(event as never);
      return (
        <SessionProvider value={session}>
          <Screen />
        </SessionProvider>
      );
    },
    gestures: {
      "session.started": (event) => tell(event),
      "reading.refresh": (event) => tell(event),
      "reading.retry": press(() => screen.queryByRole("button", { name: "Try again" })),
    },
  };

  it("at every pair of its regions' states", async () => expect(await disagreementsInPairs(walk)).toEqual([]));
});
