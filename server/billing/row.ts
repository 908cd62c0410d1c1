import type Stripe from "stripe";

/** Statuses of a subscription that is still being paid for, or could be: while one lives, no second one is sold. */
const LIVE: readonly string[] = ["active", "trialing", "past_due", "unpaid"];
const PREFERENCE = [...LIVE, "paused", "incomplete", "canceled", "incomplete_expired"];

const DAY_SECONDS = 86_400;

export const isLive = (subscription: Pick<Stripe.Subscription, "status">): boolean =>
  LIVE.includes(subscription.status);

/**
 * The one subscription, of all that a customer ever had, that decides about access: the best status first; of equals
 * the one already stored, so that a second live one never takes its place; then the newest.
 */
export function decisiveSubscription<S extends Pick<Stripe.Subscription, "id" | "status" | "created">>(
  subscriptions: readonly S[],
  storedId: string | null,
): S | null {
  const rank = ({ status }: S) => {
    const place = PREFERENCE.indexOf(status === "trialing" ? "active" : status);
    return place < 0 ? PREFERENCE.length : place;
  };
  const [best] = subscriptions.toSorted(
    (a, b) => rank(a) - rank(b) || Number(b.id === storedId) - Number(a.id === storedId) || b.created - a.created,
  );
  return best ?? null;
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
const isoOrNull = (seconds: number | null | undefined): string | null => (seconds == null ? null : iso(seconds));

/** When the payment that is still missing was first asked for, in seconds; null when the provider does not say. */
function failedSince({ latest_invoice: invoice }: Stripe.Subscription): number | null {
  if (invoice === null || typeof invoice === "string") return null;
  return invoice.status_transitions.finalized_at ?? invoice.created;
}

const nextAttempt = ({ latest_invoice: invoice }: Stripe.Subscription): number | null =>
  invoice === null || typeof invoice === "string" ? null : invoice.next_payment_attempt;

/** What of the stored row a new reading depends on. */
export type Remembered = { provider_subscription_id: string | null; past_due_since: string | null };

/**
 * Reads a subscription, with its `latest_invoice` expanded, as the row that the product's rule of access understands.
 * A failed renewal keeps `active` and gets an end `graceDays` after the failure; a dated cancellation is an end too.
 */
export function readSubscription(
  subscription: Stripe.Subscription,
  options: { graceDays: number; now: number; remembered: Remembered | null },
) {
  const { status, cancel_at: cancelAt } = subscription;
  const periodEnd = Math.max(...subscription.items.data.map((item) => item.current_period_end));
  const endsWithPeriod = subscription.cancel_at_period_end || (cancelAt !== null && cancelAt === periodEnd);
  const isOwing = status === "past_due" || status === "unpaid";
  const { remembered } = options;
  const knownSince =
    remembered?.provider_subscription_id === subscription.id && remembered.past_due_since !== null
      ? Date.parse(remembered.past_due_since) / 1000
      : Infinity;
  const owingSince = isOwing ? Math.min(knownSince, failedSince(subscription) ?? options.now / 1000) : null;
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
    next_billing_at: isoOrNull(isRunning ? periodEnd : isOwing ? nextAttempt(subscription) : null),
    expires_at: ends.length === 0 ? null : iso(Math.min(...ends)),
    past_due_since: isoOrNull(owingSince),
    provider_customer_id: typeof subscription.customer === "string" ? subscription.customer : subscription.customer.id,
    provider_subscription_id: subscription.id,
    stripe_subscription_id: subscription.id,
    price_id: price?.id ?? null,
  };
}
export type SubscriptionRow = ReturnType<typeof readSubscription>;
