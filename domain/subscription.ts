import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";

const text = v.optional(v.nullable(v.string()), null);

/** The subscriptions row as the browser reads it. Every field but the status may be missing. */
export const Subscription = v.object({
  status: text,
  plan: text,
  current_period_end: text,
  trial_ends_at: text,
  cancel_at_period_end: v.pipe(
    v.optional(v.nullable(v.boolean()), false),
    v.transform((value) => value ?? false),
  ),
  cancel_at: text,
  canceled_at: text,
  next_billing_at: text,
  expires_at: text,
  provider_status: text,
});
export type Subscription = v.InferOutput<typeof Subscription>;

export const BillingUrl = v.object({ url: v.string() });
export const BillingStatus = v.object({ status: v.optional(v.nullable(v.string()), null) });
export const BillingConfirm = v.strictObject({
  session_id: v.pipe(v.string(), v.minLength(1, fieldProblem("missing")), v.maxLength(255)),
});

export * from "./access.ts";
