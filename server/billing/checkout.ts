import { Stripe } from "stripe";
import { refuse } from "../core/problem.ts";
import type { Billing } from "./context.ts";
import { claimCustomer, releaseCustomer, type Payer } from "./customer.ts";
import { fulfil } from "./fulfil.ts";
import { requireOwnAccount } from "./own-account.ts";
import { isMissing } from "./problems.ts";

/**
 * Returns the URL to subscribe at: this user's open checkout, or a new one. While a subscription is live, returns the portal, so that the
 * user never pays twice.
 */
export async function openCheckout(billing: Billing, payer: Payer): Promise<string> {
  const customer = await claimCustomer(billing, payer);
  if ((await fulfil(billing, payer.id, "checkout"))?.isLive === true) return openPortal(billing, payer.id);
  const attempt = await currentAttempt(billing, payer.id);
  if (attempt.session_id !== null) {
    const open = await findSession(billing, attempt.session_id);
    if (open?.status === "open" && open.url !== null) return safeUrl(billing, open.url);
    // It may have just been paid.
    if ((await fulfil(billing, payer.id, "checkout"))?.isLive === true) return openPortal(billing, payer.id);
    await nextAttempt(billing, payer.id, attempt.attempt);
  }
  try {
    return await createSession(billing, payer, customer);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeIdempotencyError) {
      // The settings of the offer changed after this attempt was created.
      await nextAttempt(billing, payer.id, attempt.attempt);
      return createSession(billing, payer, customer);
    }
    if (!isMissing(error) || (await isKnown(billing, customer))) throw error;
    await requireOwnAccount(billing, customer);
    await releaseCustomer(billing, payer.id, customer);
    await nextAttempt(billing, payer.id, attempt.attempt);
    return createSession(billing, payer, await claimCustomer(billing, payer));
  }
}

/**
 * Returns the URL of the portal, where the user manages the subscription.
 * @throws ProblemError 409 if the user never opened a checkout
 */
export async function openPortal(billing: Billing, userId: string): Promise<string> {
  const { db, config } = billing.deps;
  const known = await db
    .selectFrom("billing_customers")
    .select("customer_id")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const customer = known?.customer_id ?? null;
  if (customer === null) throw refuse(409, "no_customer");
  const session = await billing.stripe.billingPortal.sessions.create({
    customer,
    return_url: `${config.publicUrl}/subscribe?from=portal`,
  });
  return safeUrl(billing, session.url);
}

/** Returns a checkout session by id, or null if the provider does not know it. */
export async function findSession({ stripe }: Billing, id: string): Promise<Stripe.Checkout.Session | null> {
  try {
    return await stripe.checkout.sessions.retrieve(id);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

async function isKnown({ stripe }: Billing, customer: string): Promise<boolean> {
  try {
    return (await stripe.customers.retrieve(customer)).deleted !== true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function currentAttempt({ deps }: Billing, userId: string) {
  await deps.db
    .insertInto("billing_checkouts")
    .values({ user_id: userId, session_id: null, updated_at: deps.clock.iso() })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
  return deps.db
    .selectFrom("billing_checkouts")
    .select(["attempt", "session_id"])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
}

/** Of concurrent calls that saw the same attempt end, only one advances; all then use the same next attempt. */
async function nextAttempt({ deps }: Billing, userId: string, from: number): Promise<void> {
  await deps.db
    .updateTable("billing_checkouts")
    .set({ attempt: from + 1, session_id: null, updated_at: deps.clock.iso() })
    .where("user_id", "=", userId)
    .where("attempt", "=", from)
    .execute();
}

async function createSession(billing: Billing, payer: Payer, customer: string): Promise<string> {
  const { config, db, clock } = billing.deps;
  const { attempt } = await currentAttempt(billing, payer.id);
  const { had_subscription: hadOne } = await db
    .selectFrom("billing_customers")
    .select("had_subscription")
    .where("user_id", "=", payer.id)
    .executeTakeFirstOrThrow();
  const trialDays = hadOne ? 0 : config.billing.trialDays;
  const session = await billing.stripe.checkout.sessions.create(
    {
      mode: "subscription",
      customer,
      client_reference_id: payer.id,
      line_items: [{ price: billing.priceId, quantity: 1 }],
      success_url: `${config.publicUrl}/billing/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${config.publicUrl}/subscribe`,
      payment_method_collection: trialDays > 0 ? "if_required" : "always",
      subscription_data: {
        metadata: { user_id: payer.id },
        ...(trialDays > 0
          ? {
              trial_period_days: trialDays,
              trial_settings: { end_behavior: { missing_payment_method: "pause" as const } },
            }
          : {}),
      },
    },
    { idempotencyKey: `leadloom-checkout-${payer.id}-${customer}-${attempt}` },
  );
  await db
    .updateTable("billing_checkouts")
    .set({ session_id: session.id, updated_at: clock.iso() })
    .where("user_id", "=", payer.id)
    .where("attempt", "=", attempt)
    .execute();
  return safeUrl(billing, session.url ?? "");
}

/**
 * Allows redirects only to https addresses and to this site.
 * @throws ProblemError 502 for any other address
 */
function safeUrl({ deps }: Billing, url: string): string {
  if (URL.canParse(url)) {
    const { protocol, origin } = new URL(url);
    if (protocol === "https:" || origin === new URL(deps.config.publicUrl).origin) return url;
  }
  throw refuse(502, "card_provider_answer");
}
