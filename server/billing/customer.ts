import type { Billing } from "./context.ts";

/** The paying user: the account's id and the address for receipts. */
export type Payer = { id: string; email: string };

/**
 * Returns the user's only customer at the provider and creates it if needed. A row here and an idempotency key there make sure that
 * concurrent and interrupted calls end with the same customer.
 */
export async function claimCustomer({ deps, stripe }: Billing, payer: Payer): Promise<string> {
  const { db, clock } = deps;
  await db
    .insertInto("billing_customers")
    .values({ user_id: payer.id, email: payer.email, created_at: clock.iso() })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
  const claim = await readClaim(deps.db, payer.id);
  if (claim.customer_id !== null) return claim.customer_id;
  // Idempotency keys expire after a day. The customer of an earlier interrupted call is found by address.
  const known = await stripe.customers.list({ email: claim.email, limit: 100 });
  const mine = known.data.find(({ metadata }) => metadata["user_id"] === payer.id);
  const customer =
    mine ??
    (await stripe.customers.create(
      { email: claim.email, metadata: { user_id: payer.id } },
      { idempotencyKey: `leadloom-customer-${payer.id}-${claim.generation}` },
    ));
  await db
    .updateTable("billing_customers")
    .set({ customer_id: customer.id })
    .where("user_id", "=", payer.id)
    .where("generation", "=", claim.generation)
    .where("customer_id", "is", null)
    .execute();
  return (await readClaim(deps.db, payer.id)).customer_id ?? customer.id;
}

/** Forgets a customer that the provider lost or erased, so that the next claim creates another. */
export async function releaseCustomer({ deps }: Billing, userId: string, customer: string): Promise<void> {
  await deps.db
    .updateTable("billing_customers")
    .set((row) => ({ customer_id: null, generation: row(row.ref("generation"), "+", 1) }))
    .where("user_id", "=", userId)
    .where("customer_id", "=", customer)
    .execute();
}

const readClaim = (db: Billing["deps"]["db"], userId: string) =>
  db
    .selectFrom("billing_customers")
    .select(["customer_id", "email", "generation", "had_subscription"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();

/** Returns the customer of the account with this e-mail address and creates it if needed; null for an unknown address. */
export async function customerOfEmail(billing: Billing, email: string): Promise<string | null> {
  const user = await billing.deps.db
    .selectFrom("auth.users")
    .select(["id", "email"])
    .where((row) => row(row.fn<string>("lower", ["email"]), "=", email.toLowerCase()))
    .executeTakeFirst();
  return user === undefined ? null : claimCustomer(billing, user);
}
