import type { Billing } from "./context.ts";
import { isMissing, PATIENT_MS, withProvider } from "./problems.ts";

/**
 * Ends everything a user pays for, at once: his customer is erased at the provider, which cancels its subscriptions and
 * closes its checkouts. Calling again, or for someone who never paid, does nothing.
 * @throws ProblemError 503 when the provider is away
 */
export async function endSubscriptions(billing: Billing, userId: string): Promise<void> {
  const { deps, stripe } = billing;
  const claim = await deps.db
    .selectFrom("billing_customers")
    .select(["customer_id", "email"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  if (claim === undefined) return;
  const end = async () => {
    // A customer whose making was cut off is known by his address alone.
    const { data } = await stripe.customers.list({ email: claim.email, limit: 100 });
    const mine = data.filter(({ metadata }) => metadata["user_id"] === userId).map(({ id }) => id);
    for (const id of new Set([...mine, ...(claim.customer_id === null ? [] : [claim.customer_id])])) {
      await stripe.customers.del(id).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    }
  };
  await withProvider(end(), PATIENT_MS);
}
