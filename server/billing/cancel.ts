import type { Billing } from "./context.ts";
import { isMissing } from "./problems.ts";

/**
 * Ends all that a user pays for, at once, and erases the customer at the provider; open checkouts are closed first, so
 * that nobody can still pay for an account that is about to go. Safe to call again after it was cut off.
 * @throws what the SDK throws when the provider is away
 */
export async function cancelSubscription({ deps, stripe }: Billing, userId: string): Promise<void> {
  const known = await deps.db
    .selectFrom("billing_customers")
    .select("customer_id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const customer = known?.customer_id ?? null;
  if (customer === null) return;
  try {
    for await (const session of stripe.checkout.sessions.list({ customer, status: "open", limit: 100 }))
      await stripe.checkout.sessions.expire(session.id);
    await stripe.customers.del(customer);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
