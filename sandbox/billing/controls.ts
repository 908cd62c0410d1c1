import * as v from "valibot";
import {
  cancelAtPeriodEnd,
  saveChanged,
  endSubscription,
  failPayment,
  hasEnded,
  save,
  latestInvoice,
  pay,
  startSubscription,
  setCard,
} from "./lifecycle.ts";
import { runningSubscription } from "./checkout.ts";
import type { Subscription } from "./wire.ts";
import { idOf, itemOf, seconds, type World } from "./world.ts";

const STATUSES = [
  "active",
  "trialing",
  "past_due",
  "unpaid",
  "paused",
  "canceled",
  "incomplete",
  "incomplete_expired",
] as const;

/** What a tester can set on a subscription. */
export const SubscriptionChange = v.strictObject({
  status: v.optional(v.picklist(STATUSES)),
  cancel_at_period_end: v.optional(v.boolean()),
  current_period_end: v.optional(
    v.pipe(v.string(), v.isoTimestamp("Must be an ISO time such as 2026-03-05T09:00:00Z.")),
  ),
  payment_fails: v.optional(v.boolean()),
});
export type SubscriptionChange = v.InferOutput<typeof SubscriptionChange>;

const isOwing = (status: Subscription["status"]): boolean => status === "past_due" || status === "unpaid";

/**
 * Changes a customer's subscription as the tester says; creates one, paid by card, if there is none. Like any change it sends a webhook.
 */
export function setSubscription(world: World, customer: string, wanted: SubscriptionChange): Subscription {
  const subscription = runningSubscription(world, customer) ?? startPaid(world, customer);
  const item = itemOf(subscription);
  // Payments keep failing until the tester changes it or a new card is added.
  const paymentFails = wanted.payment_fails ?? (wanted.status === undefined ? undefined : isOwing(wanted.status));
  if (paymentFails !== undefined) save(world, subscription, { payment_fails: paymentFails });
  if (wanted.current_period_end !== undefined) {
    item.current_period_end = Math.floor(Date.parse(wanted.current_period_end) / 1000);
    if (subscription.status === "trialing") subscription.trial_end = item.current_period_end;
    if (subscription.cancel_at_period_end) subscription.cancel_at = item.current_period_end;
  }
  if (wanted.cancel_at_period_end !== undefined) cancelAtPeriodEnd(world, subscription, wanted.cancel_at_period_end);
  if (wanted.status === "canceled") endSubscription(world, subscription, seconds(world), "cancellation_requested");
  else {
    if (wanted.status !== undefined) setStatus(world, subscription, wanted.status);
    saveChanged(world, subscription);
  }
  return subscription;
}

function startPaid(world: World, customer: string): Subscription {
  setCard(world, customer, false);
  return startSubscription(world, { customer, trialDays: 0, paymentMethod: "pm_card_visa", metadata: {} });
}

function setStatus(world: World, subscription: Subscription, status: Subscription["status"]): void {
  const now = seconds(world);
  const item = itemOf(subscription);
  const wasOwing = isOwing(subscription.status);
  subscription.status = status;
  if (status === "active" && wasOwing) pay(world, subscription, now);
  if (isOwing(status) && !wasOwing) {
    const invoice = latestInvoice(world, subscription);
    if (invoice !== null) {
      invoice.attempt_count = 0;
      invoice.created = now;
      invoice.status_transitions.finalized_at = now;
      world.store.put({ ...invoice, id: invoice.id ?? "" }, { customer: idOf(invoice.customer) });
    }
    failPayment(world, subscription, now);
  }
  if (status === "trialing") {
    subscription.trial_start = now;
    subscription.trial_end = item.current_period_end;
    subscription.billing_cycle_anchor = item.current_period_end;
  }
  if (status === "paused") subscription.trial_end ??= now;
  if (hasEnded(subscription)) subscription.ended_at = now;
}
