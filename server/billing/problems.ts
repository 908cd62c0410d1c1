import { Stripe } from "stripe";
import { ProblemError } from "../core/problem.ts";

const RETRY_AFTER_SECONDS = 5;
/** The browser gives up after four seconds; an answer that says so comes before. */
const DEADLINE_MS = 2_700;

/** True when the provider does not know the thing that was named. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";

const providerAway = () =>
  new ProblemError(503, "card_provider_away", "The card provider does not answer right now. Try again in a moment.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/**
 * Waits for work with the provider, but not for ever; work that is given up goes on and still has its effect.
 * @throws ProblemError 503 when the provider is away or slow
 */
export async function withProvider<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(providerAway()), DEADLINE_MS);
  try {
    return await Promise.race([work, late.promise]);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError)
      throw providerAway();
    if (error instanceof Stripe.errors.StripeRateLimitError) throw providerAway();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
