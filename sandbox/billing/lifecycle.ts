import type { Invoice, Subscription } from "./wire.ts";
import { price } from "./catalogue.ts";
import { newInvoice, newSubscription } from "./subscription-objects.ts";
import { addMonths, emit, idOf, itemOf, periodAfter, seconds, type World } from "./world.ts";

const DAY = 86_400;
/** Days after a failed payment on which it is retried; after the last one the subscription ends. */
const RETRY_DAYS = [3, 5, 7];
/** How long a first payment may stay incomplete. */
const INCOMPLETE_SECONDS = 23 * 3600;

const ENDED: readonly string[] = ["canceled", "incomplete_expired"];
export const hasEnded = ({ status }: Subscription): boolean => ENDED.includes(status);

/** Returns when this subscription is next due, in seconds; null for never. */
function dueAt(world: World, subscription: Subscription): number | null {
  if (hasEnded(subscription)) return null;
  const times = [subscription.cancel_at];
  if (subscription.status === "trialing") times.push(subscription.trial_end);
  if (subscription.status === "active") times.push(itemOf(subscription).current_period_end);
  if (subscription.status === "past_due") times.push(latestInvoice(world, subscription)?.next_payment_attempt ?? null);
  if (subscription.status === "incomplete") times.push(subscription.created + INCOMPLETE_SECONDS);
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Saves a subscription without an event. */
export function save(world: World, subscription: Subscription, columns: { payment_fails?: boolean } = {}): void {
  world.store.put(subscription, {
    customer: idOf(subscription.customer),
    due_at: dueAt(world, subscription),
    ...columns,
  });
}

/** Saves a changed subscription and emits an event. */
export function saveChanged(world: World, subscription: Subscription, at = seconds(world)): void {
  save(world, subscription);
  emit(world, "customer.subscription.updated", subscription, at);
}

export function latestInvoice(world: World, subscription: Subscription): Invoice | null {
  const id = idOf(subscription.latest_invoice);
  return id === null ? null : world.store.get("invoice", id);
}

const keepInvoice = (world: World, invoice: Invoice): void =>
  world.store.put({ ...invoice, id: invoice.id }, { customer: idOf(invoice.customer) });

/** Starts a subscription: paid at once, or with a trial. */
export function startSubscription(
  world: World,
  fields: { customer: string; trialDays: number; paymentMethod: string | null; metadata: Record<string, string> },
): Subscription {
  const now = seconds(world);
  const trialEnd = fields.trialDays > 0 ? now + fields.trialDays * DAY : null;
  const subscription = newSubscription({
    now,
    customer: fields.customer,
    periodEnd: trialEnd ?? addMonths(now, 1),
    trialEnd,
    paymentMethod: fields.paymentMethod,
    pausesWithoutCard: true,
    metadata: fields.metadata,
  });
  // Like the real provider, the first event shows the state before the payment.
  emit(
    world,
    "customer.subscription.created",
    trialEnd === null ? { ...subscription, status: "incomplete" } : subscription,
  );
  bill(world, subscription, now, { reason: "subscription_create", amount: trialEnd === null ? price.unit_amount : 0 });
  pay(world, subscription, now);
  saveChanged(world, subscription);
  return subscription;
}

function bill(
  world: World,
  subscription: Subscription,
  at: number,
  fields: { reason: "subscription_create" | "subscription_cycle"; amount: number },
): void {
  const customer = idOf(subscription.customer) ?? "";
  const item = itemOf(subscription);
  const invoice = newInvoice({
    now: at,
    customer,
    email: world.store.get("customer", customer)?.email ?? null,
    subscription: subscription.id,
    periodStart: item.current_period_start,
    periodEnd: item.current_period_end,
    ...fields,
  });
  subscription.latest_invoice = invoice.id;
  keepInvoice(world, invoice);
  emit(world, "invoice.created", invoice, at);
}

/** Marks the open invoice as paid, by card or manually. */
export function pay(world: World, subscription: Subscription, at: number): void {
  const invoice = latestInvoice(world, subscription);
  if (invoice === null || invoice.status === "paid") return;
  invoice.status = "paid";
  invoice.attempted = true;
  invoice.attempt_count += 1;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = at;
  keepInvoice(world, invoice);
  emit(world, "invoice.paid", invoice, at);
}

/** Records a failed payment of the open invoice, and plans the next retry or gives up. */
export function failPayment(world: World, subscription: Subscription, at: number): "tries again" | "gives up" {
  const invoice = latestInvoice(world, subscription);
  if (invoice === null) return "gives up";
  const wait = RETRY_DAYS[invoice.attempt_count];
  invoice.status = "open";
  invoice.amount_paid = 0;
  invoice.amount_remaining = invoice.amount_due;
  invoice.attempted = true;
  invoice.attempt_count += 1;
  invoice.status_transitions.paid_at = null;
  invoice.next_payment_attempt = wait === undefined ? null : at + wait * DAY;
  keepInvoice(world, invoice);
  emit(world, "invoice.payment_failed", invoice, at);
  return wait === undefined ? "gives up" : "tries again";
}

/** Starts the next period and charges its price; a declined payment makes the subscription past due. */
function renew(world: World, subscription: Subscription, at: number): void {
  const item = itemOf(subscription);
  item.current_period_start = at;
  item.current_period_end = periodAfter(subscription.billing_cycle_anchor, at);
  bill(world, subscription, at, { reason: "subscription_cycle", amount: price.unit_amount });
  charge(world, subscription, at);
}

/** Charges the card for the open invoice. */
function charge(world: World, subscription: Subscription, at: number): void {
  const hasCard = subscription.default_payment_method !== null;
  if (hasCard && !world.store.paymentFails(subscription.id)) {
    pay(world, subscription, at);
    subscription.status = "active";
    saveChanged(world, subscription, at);
  } else if (failPayment(world, subscription, at) === "tries again") {
    subscription.status = "past_due";
    saveChanged(world, subscription, at);
  } else endSubscription(world, subscription, at, "payment_failed");
}

export function endSubscription(
  world: World,
  subscription: Subscription,
  at: number,
  reason: "payment_failed" | "cancellation_requested",
): void {
  subscription.status = "canceled";
  subscription.ended_at = at;
  subscription.canceled_at ??= at;
  subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason };
  save(world, subscription);
  emit(world, "customer.subscription.deleted", subscription, at);
}

/** Sets or clears the cancellation at the end of the current period. */
export function cancelAtPeriodEnd(world: World, subscription: Subscription, wanted: boolean): void {
  subscription.cancel_at_period_end = wanted;
  subscription.cancel_at = wanted ? itemOf(subscription).current_period_end : null;
  subscription.canceled_at = wanted ? seconds(world) : null;
}

/** Sets the card of a customer and its subscriptions, and charges open invoices. */
export function setCard(world: World, customerId: string, declines: boolean): void {
  const customer = world.store.get("customer", customerId);
  if (customer === null) return;
  const card = declines ? "pm_card_chargeCustomerFail" : "pm_card_visa";
  customer.invoice_settings.default_payment_method = card;
  world.store.put(customer, { email: customer.email });
  emit(world, "customer.updated", customer);
  for (const subscription of world.store.list("subscription", { customer: customerId })) {
    if (hasEnded(subscription)) continue;
    subscription.default_payment_method = card;
    save(world, subscription, { payment_fails: declines });
    if (subscription.status === "past_due" || subscription.status === "unpaid")
      charge(world, subscription, seconds(world));
  }
}

/** Processes everything that has become due, in order of due time. */
export function advance(world: World): void {
  const now = seconds(world);
  for (let due = world.store.due(now); due !== null; due = world.store.due(now)) step(world, due.subscription, due.at);
}

function step(world: World, subscription: Subscription, at: number): void {
  if (subscription.cancel_at !== null && subscription.cancel_at <= at)
    return endSubscription(world, subscription, at, "cancellation_requested");
  if (subscription.status === "incomplete") {
    subscription.status = "incomplete_expired";
    return saveChanged(world, subscription, at);
  }
  if (subscription.status === "past_due") return charge(world, subscription, at);
  if (subscription.status === "trialing" && subscription.default_payment_method === null) {
    if (subscription.trial_settings?.end_behavior.missing_payment_method === "pause") {
      subscription.status = "paused";
      save(world, subscription);
      emit(world, "customer.subscription.paused", subscription, at);
      return;
    }
  }
  renew(world, subscription, at);
}
