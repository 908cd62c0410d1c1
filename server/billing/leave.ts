import type { Billing } from "./context.ts";
import { isMissing, INTERACTIVE_TIMEOUT_MS, withProvider } from "./problems.ts";

/**
 * Ends everything a user pays for, at once. Closes open checkouts, so that no payment is possible for an account about to be erased. Erases
 * the customer at the provider, which cancels its subscriptions. Idempotent, and does nothing for a user who never paid.
 * @throws ProblemError 503 when the provider is unavailable
 */
export async function endSubscriptions(billing: Billing, userId: string): Promise<void> {
  const claim = await billing.deps.db
    .selectFrom("billing_customers")
    .select(["customer_id", "email"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (claim === undefined) return;
  const end = async () => {
    // A customer whose creation was interrupted is known only by address.
    const { data } = await billing.stripe.customers.list({ email: claim.email, limit: 100 });
    const mine = data.filter(({ metadata }) => metadata["user_id"] === userId).map(({ id }) => id);
    for (const id of new Set([...mine, ...(claim.customer_id === null ? [] : [claim.customer_id])]))
      await erase(billing, id);
  };
  await withProvider(billing, end(), INTERACTIVE_TIMEOUT_MS);
}

async function erase({ stripe }: Billing, customer: string): Promise<void> {
  try {
    for await (const session of stripe.checkout.sessions.list({ customer, status: "open", limit: 100 }))
      await stripe.checkout.sessions.expire(session.id);
    await stripe.customers.del(customer);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
