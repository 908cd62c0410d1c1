import type { ColumnType, Generated } from "kysely";
import type { Time } from "./core.ts";

type GeneratedTime = ColumnType<string, string | undefined, string>;

export type BillingTables = {
  subscriptions: {
    user_id: string;
    status: string;
    provider_status: string | null;
    plan: string | null;
    current_period_end: Time | null;
    trial_ends_at: Time | null;
    cancel_at_period_end: Generated<boolean>;
    cancel_at: Time | null;
    canceled_at: Time | null;
    next_billing_at: Time | null;
    expires_at: Time | null;
    past_due_since: Time | null;
    provider_customer_id: string | null;
    provider_subscription_id: string | null;
    stripe_subscription_id: string | null;
    price_id: string | null;
    created_at: GeneratedTime;
    updated_at: GeneratedTime;
  };
  billing_customers: {
    user_id: string;
    email: string;
    generation: Generated<number>;
    customer_id: string | null;
    had_subscription: Generated<boolean>;
    fetches: ColumnType<string, string | undefined, string>;
    applied_fetch: ColumnType<string, string | undefined, string>;
    created_at: GeneratedTime;
  };
  billing_checkouts: {
    user_id: string;
    attempt: Generated<number>;
    session_id: string | null;
    updated_at: GeneratedTime;
  };
  billing_events: {
    id: string;
    type: string;
    customer_id: string | null;
    received_at: Time;
    processed_at: Time | null;
  };
};
