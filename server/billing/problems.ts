import { Stripe } from "stripe";
import { withTimeout } from "../core/clock.ts";
import { refuse } from "../core/problem.ts";
import type { Billing } from "./context.ts";

const RETRY_AFTER_SECONDS = 5;
/** The browser gives up on confirm and sync after four seconds, the provider on a webhook after ten; ours come before. */
const SOON_MS = 2_700;
/** A person who clicked waits for the page to change. */
export const PATIENT_MS = 15_000;

/** True when the provider does not know the thing that was named. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";

const providerAway = () => refuse(503, "card_provider_away", null, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Waits for work with the provider, but not for ever; work that is given up goes on and still has its effect.
 * @throws ProblemError 503 when the provider is away or slow
 */
export async function withProvider<T>({ deps }: Billing, work: Promise<T>, withinMs = SOON_MS): Promise<T> {
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
