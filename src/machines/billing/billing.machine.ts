import { msg } from "@lingui/core/runtime-macro";
import { assign, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { hasExpired, willEnd } from "../../../domain/access.ts";
import type { Subscription } from "../../../domain/subscription.ts";
import { createBillingGateway } from "../../services/billing.ts";
import { createChart, withOutput } from "../kit/chart.ts";
import { fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { failed, problemOf, readFailure } from "../kit/writing.ts";

type BillingParts = {
  /** Refreshes the subscription; settles when it is known. */
  refreshSubscription: () => Promise<void>;
  billing?: Pick<ReturnType<typeof createBillingGateway>, "openCheckout" | "openPortal" | "sync">;
  openUrl?: (url: string) => void;
};

/** An address to open, or null if the server's address is unsafe. */
type Destination = string | null;

const NOT_OPENED = readFailure(msg`The payment page could not be opened. Try again.`);
const UNSAFE = msg`The payment page gave an address that is not safe to open. Nothing was opened.`;

/** Requests the card provider's page and opens it. */
const opening = <const Src extends "openCheckout" | "openPortal", const What extends string>(src: Src, what: What) => ({
  entry: "forgetProblem" as const,
  invoke: {
    id: src,
    src,
    onDone: [
      { guard: withOutput("isUnsafe"), target: "closed" as const, actions: "storeUnsafe" as const },
      { target: "leaving" as const, actions: withOutput("storeDestination") },
    ],
    onError: { target: "closed" as const, actions: failed(NOT_OPENED, what) },
  },
});

/** The billing screen: refreshes the subscription after a checkout, and sends the browser to the card provider. */
export const createBilling = (
  page: Page,
  {
    refreshSubscription,
    billing = createBillingGateway(page.http),
    openUrl = (url) => window.location.assign(url),
  }: BillingParts,
) =>
  setup({
    types: {
      input: {} as { isBack: boolean },
      context: {} as { isBack: boolean; destination: string; problem: UiTextOrString | null },
      events: {} as { type: "checkout.open" } | { type: "portal.open" },
    },
    actors: {
      openCheckout: fetching(async (signal: AbortSignal) =>
        safeDestination(await billing.openCheckout(signal), window.location.origin),
      ),
      openPortal: fetching(async (signal: AbortSignal) =>
        safeDestination(await billing.openPortal(signal), window.location.origin),
      ),
      syncSubscription: fetching(async (signal: AbortSignal) => {
        try {
          await billing.sync();
        } finally {
          if (!signal.aborted) await refreshSubscription();
        }
      }),
    },
    actions: {
      storeDestination: assign((_, url: Destination) => ({ destination: url ?? "" })),
      storeProblem: assign(problemOf),
      storeUnsafe: assign({ problem: UNSAFE }),
      forgetProblem: assign({ problem: null }),
      openUrl: (_args, { url }: { url: string }) => openUrl(url),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isBack: ({ context }) => context.isBack,
      isUnsafe: (_, url: Destination) => url === null,
    },
    // The browser is navigating; a user who returns to this page finds the buttons enabled again.
    delays: { departure: 8_000 },
  }).createMachine({
    id: "billing",
    context: ({ input }) => ({ isBack: input.isBack, destination: "", problem: null }),
    type: "parallel",
    states: {
      subscription: {
        initial: "arriving",
        states: {
          arriving: { always: [{ guard: "isBack", target: "syncing" }, { target: "current" }] },
          syncing: {
            invoke: {
              id: "syncSubscription",
              src: "syncSubscription",
              onDone: "current",
              onError: {
                target: "current",
                actions: reportFailure("the subscription was not synchronised"),
              },
            },
          },
          current: {},
        },
      },
      provider: {
        initial: "closed",
        states: {
          closed: { on: { "checkout.open": "openingCheckout", "portal.open": "openingPortal" } },
          openingCheckout: opening("openCheckout", "the checkout could not be opened"),
          openingPortal: opening("openPortal", "the billing portal could not be opened"),
          leaving: {
            entry: { type: "openUrl", params: ({ context }) => ({ url: context.destination }) },
            after: { departure: "closed" },
          },
        },
      },
    },
  });

export const Billing = createChart<typeof createBilling>("billing");

/** Returns the address if it is https, same-origin or localhost; null otherwise. */
export function safeDestination(url: string, origin: string): Destination {
  const target = URL.canParse(url, origin) ? new URL(url, origin) : null;
  if (target === null || target.username !== "" || target.password !== "") return null;
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(target.hostname);
  const isSafe =
    target.protocol === "https:" || (target.protocol === "http:" && (target.origin === origin || isLoopback));
  return isSafe ? target.href : null;
}

export type Standing =
  | { kind: "active"; renewsAt: string | null }
  | { kind: "trial"; endsAt: string | null }
  /** Cancelled, or a payment failed. */
  | { kind: "ending"; endsAt: string | null; endsWithPeriod: boolean }
  | { kind: "ended"; endedAt: string | null }
  | { kind: "none" };

/** Returns the subscription's state for the billing screen. `isSubscribed` is the session's decision at `judgedAt`. */
export function standingOf(subscription: Subscription | null, isSubscribed: boolean, judgedAt: number): Standing {
  if (isSubscribed && subscription !== null) {
    const endsWithPeriod = willEnd(subscription);
    if (endsWithPeriod || subscription.expires_at !== null)
      return { kind: "ending", endsAt: endOf(subscription), endsWithPeriod };
    if (subscription.status === "trialing") return { kind: "trial", endsAt: subscription.trial_ends_at };
    return { kind: "active", renewsAt: subscription.next_billing_at ?? subscription.current_period_end };
  }
  return subscription !== null && hasExpired(subscription, judgedAt)
    ? { kind: "ended", endedAt: endOf(subscription) }
    : { kind: "none" };
}

const endOf = (subscription: Subscription) =>
  subscription.expires_at ?? subscription.cancel_at ?? subscription.current_period_end;
