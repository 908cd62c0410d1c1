import type { Billing } from "./context.ts";
import { isMissing, PATIENT_MS, withProvider } from "./problems.ts";

/**
 * Ends everything a user pays for, at once: his open checkouts are closed, so that nobody can still pay for an account
 * that is about to go, and his customer is erased at the provider, which cancels its subscriptions. Calling again, or
 * for someone who never paid, does nothing.
 * @throws ProblemError 503 when the provider is away
 */
export async function endSubscriptions(billing: Billing, userId: string): Promise<void> {
  const claim = await billing.deps.db
    .selectFrom("billing_customers")
    .select(["customer_id", "email"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (claim === undefined) return;
  const end = async () => {
    // A customer whose making was cut off is known by his address alone.
    const { data } = await billing.stripe.customers.list({ email: claim.email, limit: 100 });
    const mine = data.filter(({ metadata }) => metadata["user_id"] === userId).map(({ id }) => id);
    for (const id of new Set([...mine, ...(claim.customer_id === null ? [] : [claim.customer_id])]))
      await erase(billing, id);
  };
  await withProvider(billing, end(), PATIENT_MS);
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
