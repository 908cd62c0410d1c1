import { Stripe } from "stripe";
import { withTimeout } from "../core/clock.ts";
import { refuse } from "../core/problem.ts";
import type { Billing } from "./context.ts";

const RETRY_AFTER_SECONDS = 5;
/** The browser gives up on confirm and sync after four seconds, and the provider on a webhook after ten; this comes first. */
const SHORT_TIMEOUT_MS = 2_700;
/** Used when the user clicked and waits for the page to change. */
export const INTERACTIVE_TIMEOUT_MS = 15_000;

/** Whether the provider does not know the requested object. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";

const providerAway = () => refuse(503, "card_provider_away", null, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Waits for a call to the provider for a limited time. After a timeout, the work continues and still takes effect.
 * @throws ProblemError 503 when the provider is unavailable or slow
 */
export async function withProvider<T>({ deps }: Billing, work: Promise<T>, withinMs = SHORT_TIMEOUT_MS): Promise<T> {
  try {
    return await withTimeout(deps.clock, withinMs, work, () => {
      throw providerAway();
    });
  } catch (error) {
    if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError)
      throw providerAway();
    if (error instanceof Stripe.errors.StripeRateLimitError) throw providerAway();
    throw error;
  }
}
