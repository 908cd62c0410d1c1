import type { Subscription } from "../../domain/subscription.ts";

/** Creates a subscription row with only the given fields set. */
export const subscriptionWith = (fields: Partial<Subscription>): Subscription => ({
  status: null,
  plan: null,
  current_period_end: null,
  trial_ends_at: null,
  cancel_at_period_end: false,
  cancel_at: null,
  canceled_at: null,
  next_billing_at: null,
  expires_at: null,
  provider_status: null,
  ...fields,
});
