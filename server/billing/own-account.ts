import { ProblemError } from "../core/problem.ts";
import type { Billing } from "./context.ts";
import { isMissing } from "./problems.ts";

/** A status in addition to the provider's: it no longer knows any subscription of this customer. */
export const MISSING = "missing";

const SAMPLE = 20;
/** Single customers do get erased at the provider. A larger share of unknown customers means a key of another account. */
const MOST_UNKNOWN_SHARE = 0.1;
const RETRY_AFTER_SECONDS = 60;
/** While the key is wrong, all requests get the last result for this long. */
const ALARM_STANDS_MS = 60_000;

/** The API key belongs to another account: that the provider does not know a customer means nothing then. */
export class ForeignAccountError extends ProblemError {
  constructor() {
    super(503, "card_provider_foreign", "The card provider cannot be asked right now. Nothing changes meanwhile.", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}

type Watch = { asking: Promise<boolean> | null; foreignAt: number | null; unknownShare: number };
const watches = new WeakMap<Billing, Watch>();
const watchOf = (billing: Billing): Watch => {
  const watch = watches.get(billing) ?? { asking: null, foreignAt: null, unknownShare: 0 };
  watches.set(billing, watch);
  return watch;
};

/** The share of sampled customers that the provider did not know at the last check, from 0 to 1. */
export const unknownShare = (billing: Billing): number => watchOf(billing).unknownShare;

/**
 * Must be called before acting on a customer that the provider does not know. Checks with a sample of subscribed customers and the
 * configured price whether the key still belongs to their account.
 * @param customer the unknown one
 * @throws ForeignAccountError when too many are unknown, which is also logged as an error
 */
export async function requireOwnAccount(billing: Billing, customer: string): Promise<void> {
  const watch = watchOf(billing);
  if (watch.foreignAt !== null && billing.deps.clock.monotonic() - watch.foreignAt < ALARM_STANDS_MS)
    throw new ForeignAccountError();
  watch.asking ??= isForeign(billing, watch, customer).finally(() => (watch.asking = null));
  if (!(await watch.asking)) return;
  throw new ForeignAccountError();
}

async function isForeign(billing: Billing, watch: Watch, customer: string): Promise<boolean> {
  const { clock, db, logger } = billing.deps;
  const others = await db
    .selectFrom("billing_customers as c")
    .innerJoin("subscriptions as s", "s.user_id", "c.user_id")
    .select("c.customer_id")
    .where("s.status", "in", ["active", "trialing", "past_due", "unpaid", "paused"])
    .where("s.provider_status", "is distinct from", MISSING)
    .where("c.customer_id", "is not", null)
    .where("c.customer_id", "!=", customer)
    .orderBy((row) => row.fn("random"))
    .limit(SAMPLE)
    .execute();
  const known = await Promise.all(
    others.map(({ customer_id: id }) => isThere(billing.stripe.customers.retrieve(id ?? ""))),
  );
  const sampled = known.length + 1;
  const unknown = 1 + known.filter((isKnown) => !isKnown).length;
  const sellsOurs = await isThere(billing.stripe.prices.retrieve(billing.priceId));
  const foreign = !sellsOurs || unknown > Math.max(1, sampled * MOST_UNKNOWN_SHARE);
  watch.unknownShare = unknown / sampled;
  watch.foreignAt = foreign ? clock.monotonic() : null;
  if (foreign) {
    const message =
      "the card provider does not know our customers: does STRIPE_SECRET_KEY belong to another account? Access stays unchanged";
    logger.error({ unknown, sampled, knows_price: sellsOurs }, message);
  }
  return foreign;
}

async function isThere(asking: Promise<unknown>): Promise<boolean> {
  try {
    await asking;
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
