import type Stripe from "stripe";
import { recordAbsence, endAbsence } from "../bulk/away.ts";
import { audit } from "../core/audit.ts";
import { publishEvent } from "../core/bus.ts";
import type { Tx } from "../db/index.ts";
import type { Billing } from "./context.ts";
import { MISSING, requireOwnAccount } from "./own-account.ts";
import { isMissing } from "./problems.ts";
import { accessExpiry, isSubscribed } from "../../domain/access.ts";
import { restartAutomation } from "../settings/index.ts";
import { dropExpiredDeliveries } from "../webhooks/tidy.ts";
import { decisiveSubscription, isLive, isOwing, owedSince, readSubscription, type SubscriptionRow } from "./row.ts";

const MOST_SUBSCRIPTIONS = 1_000;

type Fact = { subscription: Stripe.Subscription; owedSince: number | null };

/**
 * Returns all subscriptions that a customer ever had, with their current state; none for an unknown customer.
 * @throws ForeignAccountError when the API key belongs to another account
 */
async function readFacts(billing: Billing, customer: string): Promise<Fact[]> {
  const { stripe } = billing;
  try {
    const subscriptions = await stripe.subscriptions
      .list({ customer, status: "all", limit: 100, expand: ["data.latest_invoice"] })
      .autoPagingToArray({ limit: MOST_SUBSCRIPTIONS });
    return await Promise.all(
      subscriptions.map(async (subscription) => {
        if (!isOwing(subscription)) return { subscription, owedSince: null };
        const open = await stripe.invoices.list({ subscription: subscription.id, status: "open", limit: 100 });
        return { subscription, owedSince: owedSince(open.data) };
      }),
    );
  } catch (error) {
    if (!isMissing(error)) throw error;
    await requireOwnAccount(billing, customer);
    return [];
  }
}

/** The result of a reading: the product's status and whether a subscription is live; null if the user is not a customer. */
export type Outcome = { status: string | null; isLive: boolean } | null;

/** Readings by user, each waiting for the one before. A burst of events shares one reading that starts after it. */
type Place = { last: Promise<unknown>; next: Promise<Outcome> | null };
const queues = new WeakMap<Billing, Map<string, Place>>();

/**
 * Updates a user's row to what the provider says now. Called by webhooks, confirm, sync, checkout and the nightly reconcile, in any order
 * and concurrently. The result comes from a reading that starts after the call.
 * @param cause the caller, for the audit log
 */
export function fulfil(billing: Billing, userId: string, cause: string): Promise<Outcome> {
  const queue = queues.get(billing) ?? new Map<string, Place>();
  queues.set(billing, queue);
  const place: Place = queue.get(userId) ?? { last: Promise.resolve(), next: null };
  queue.set(userId, place);
  if (place.next !== null) return place.next;
  const next = place.last
    .catch(() => {})
    .then(() => {
      place.next = null;
      return billing.deps.work.track("read a subscription", readAndWrite(billing, userId, cause));
    })
    .finally(() => {
      if (place.last === next && place.next === null) queue.delete(userId);
    });
  place.last = next;
  place.next = next;
  return next;
}

/** Reads and stores subscriptions. Readings are numbered at their start: in all processes, an older one never overwrites a newer one. */
async function readAndWrite(billing: Billing, userId: string, cause: string): Promise<Outcome> {
  const { db, logger } = billing.deps;
  const ticket = await db
    .updateTable("billing_customers")
    .set((row) => ({ fetches: row(row.ref("fetches"), "+", "1") }))
    .where("user_id", "=", userId)
    .where("customer_id", "is not", null)
    .returning(["fetches", "customer_id"])
    .executeTakeFirst();
  if (ticket === undefined || ticket.customer_id === null) return null;
  const facts = await readFacts(billing, ticket.customer_id);
  const living = facts.map(({ subscription }) => subscription).filter(isLive);
  if (living.length > 1) {
    const found = { user: userId, subscriptions: living.map(({ id }) => id) };
    logger.error(found, "a user has several live subscriptions: refund and cancel all except the one in use");
  }
  const status = await db
    .transaction()
    .execute((tx) => apply(billing, tx, { userId, cause, fetch: BigInt(ticket.fetches), facts }));
  return { status, isLive: living.length > 0 };
}

type Reading = { userId: string; cause: string; fetch: bigint; facts: Fact[] };

async function apply(billing: Billing, tx: Tx, reading: Reading): Promise<string | null> {
  const { bus, clock, config } = billing.deps;
  const { userId, facts } = reading;
  const customer = await tx
    .selectFrom("billing_customers")
    .select("applied_fetch")
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  const before = await tx.selectFrom("subscriptions").selectAll().where("user_id", "=", userId).executeTakeFirst();
  // An erased account has no customer row, so there is nothing to update.
  if (customer === undefined || BigInt(customer.applied_fetch) >= reading.fetch) return before?.status ?? null;
  await tx
    .updateTable("billing_customers")
    .set({
      applied_fetch: String(reading.fetch),
      ...(facts.length > 0 ? { had_subscription: true } : {}),
    })
    .where("user_id", "=", userId)
    .execute();
  const subscriptions = facts.map(({ subscription }) => subscription);
  const decisive = decisiveSubscription(subscriptions, before?.provider_subscription_id ?? null);
  if (decisive === null && (before === undefined || before.provider_status === MISSING)) return before?.status ?? null;
  const owed = facts.find(({ subscription }) => subscription === decisive)?.owedSince ?? null;
  const options = { graceDays: config.billing.pastDueGraceDays, owedSince: owed };
  const after: Partial<SubscriptionRow> & { status: string } =
    decisive === null
      ? { status: "canceled", provider_status: MISSING, canceled_at: clock.iso(), expires_at: clock.iso() }
      : readSubscription(decisive, options);
  if (before !== undefined && isSame(before, after)) return before.status;
  const stamp = { ...after, updated_at: clock.iso() };
  await tx
    .insertInto("subscriptions")
    .values({ user_id: userId, created_at: clock.iso(), ...stamp })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(stamp))
    .execute();
  const hasAccess = decisive !== null && isSubscribed(readSubscription(decisive, options), clock.now());
  const hadAccess = isSubscribed(before ?? null, clock.now());
  const isBack = hasAccess && !hadAccess;
  if (isBack) await restartAutomation(tx, userId, clock.iso());
  if (hadAccess && !hasAccess) await recordAbsence(tx, userId, clock.iso());
  // Access may expire without an event. Records that now, because the row that shows it is overwritten.
  const ranOutAt = before === undefined || hadAccess ? null : accessExpiry(before);
  if (ranOutAt !== null && ranOutAt <= clock.now()) await recordAbsence(tx, userId, new Date(ranOutAt).toISOString());
  if (isBack) {
    await endAbsence(tx, billing.deps, userId);
    await dropExpiredDeliveries(tx, billing.deps, userId);
  }
  // If access ends again before the daily check, its retention starts over.
  if (hasAccess) await tx.deleteFrom("access_ends").where("owner_id", "=", userId).execute();
  const detail = { cause: reading.cause, subscription: decisive?.id ?? null, ...change(before, after) };
  await audit(tx, { userId, action: "plan_changed", at: clock.iso(), detail });
  await bus.publish("subscription.changed", { user_id: userId }, tx);
  await publishEvent(bus, userId, "subscription.changed", { status: after.status }, tx);
  return after.status;
}

const change = (
  before: { provider_status: string | null } | undefined,
  after: { provider_status?: string | null },
) => ({
  from: before?.provider_status ?? null,
  to: after.provider_status ?? null,
});

/** Compares the changed columns. Times may be written with or without fractions. */
function isSame(before: Record<string, unknown>, after: Record<string, unknown>): boolean {
  const plain = (value: unknown) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value;
  return Object.entries(after).every(([column, value]) => plain(before[column]) === plain(value));
}
