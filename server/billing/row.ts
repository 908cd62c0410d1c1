import type Stripe from "stripe";

/** Statuses of a live subscription: paid, or still payable. While one is live, no second one is sold. */
const LIVE: readonly string[] = ["active", "trialing", "past_due", "unpaid"];
const PREFERENCE = [...LIVE, "paused", "incomplete", "canceled", "incomplete_expired"];

const DAY_SECONDS = 86_400;

export const isLive = (subscription: Pick<Stripe.Subscription, "status">): boolean =>
  LIVE.includes(subscription.status);

/**
 * Returns the subscription that decides access: the best status first; among equals, the stored one while it is live, so that a second live
 * one never replaces it; then the newest.
 */
export function decisiveSubscription<S extends Pick<Stripe.Subscription, "id" | "status" | "created">>(
  subscriptions: readonly S[],
  storedId: string | null,
): S | null {
  const rank = ({ status }: S) => {
    const place = PREFERENCE.indexOf(status === "trialing" ? "active" : status);
    return place < 0 ? PREFERENCE.length : place;
  };
  const isStoredLive = (subscription: S) => subscription.id === storedId && isLive(subscription);
  const [best] = subscriptions.toSorted(
    (a, b) => rank(a) - rank(b) || Number(isStoredLive(b)) - Number(isStoredLive(a)) || b.created - a.created,
  );
  return best ?? null;
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
const isoOrNull = (seconds: number | null | undefined): string | null => (seconds == null ? null : iso(seconds));

/** Whether a payment is missing. */
export const isOwing = ({ status }: Pick<Stripe.Subscription, "status">): boolean =>
  status === "past_due" || status === "unpaid";

/** Returns when the oldest missing payment was requested, in seconds. */
export const owedSince = (openInvoices: readonly Stripe.Invoice[]): number | null =>
  openInvoices.length === 0
    ? null
    : Math.min(...openInvoices.map((invoice) => invoice.status_transitions.finalized_at ?? invoice.created));

const startOfPeriod = (subscription: Stripe.Subscription): number =>
  Math.min(...subscription.items.data.map((item) => item.current_period_start));

const nextAttempt = ({ latest_invoice: invoice }: Stripe.Subscription): number | null =>
  invoice === null || typeof invoice === "string" ? null : invoice.next_payment_attempt;

/**
 * Converts a subscription, with its `latest_invoice` expanded, to the row that the access rule reads. A failed renewal keeps `active` and
 * ends `graceDays` after the failure; a scheduled cancellation is an end too.
 * @param options.owedSince when the oldest missing payment was requested, in seconds
 */
export function readSubscription(
  subscription: Stripe.Subscription,
  options: { graceDays: number; owedSince: number | null },
) {
  const { status, cancel_at: cancelAt } = subscription;
  const periodEnd = Math.max(...subscription.items.data.map((item) => item.current_period_end));
  const endsWithPeriod = subscription.cancel_at_period_end || (cancelAt !== null && cancelAt === periodEnd);
  const owingSince = isOwing(subscription) ? (options.owedSince ?? startOfPeriod(subscription)) : null;
  const ends = [
    owingSince === null ? null : owingSince + options.graceDays * DAY_SECONDS,
    subscription.ended_at,
    status === "paused" ? subscription.trial_end : null,
    endsWithPeriod ? null : cancelAt,
  ].filter((end) => end !== null);
  if (endsWithPeriod && ends.length > 0) ends.push(periodEnd);
  const isRunning = (status === "active" || status === "trialing") && !endsWithPeriod;
  const price = subscription.items.data[0]?.price;
  return {
    status: status === "past_due" ? "active" : status,
    provider_status: status,
    plan: price?.nickname ?? price?.lookup_key ?? price?.id ?? null,
    current_period_end: iso(periodEnd),
    trial_ends_at: isoOrNull(subscription.trial_end),
    cancel_at_period_end: endsWithPeriod,
    cancel_at: isoOrNull(cancelAt),
    canceled_at: isoOrNull(subscription.canceled_at),
    next_billing_at: isoOrNull(isRunning ? periodEnd : owingSince === null ? null : nextAttempt(subscription)),
    expires_at: ends.length === 0 ? null : iso(Math.min(...ends)),
    past_due_since: isoOrNull(owingSince),
    provider_customer_id: typeof subscription.customer === "string" ? subscription.customer : subscription.customer.id,
    provider_subscription_id: subscription.id,
    stripe_subscription_id: subscription.id,
    price_id: price?.id ?? null,
  };
}
export type SubscriptionRow = ReturnType<typeof readSubscription>;
