import type Stripe from "stripe";
import { CURRENCY, noTax, plan, price } from "./catalogue.ts";
import { newId, type Invoice, type Subscription, type Wire } from "./wire.ts";

export const newSubscription = (fields: {
  now: number;
  customer: string;
  periodEnd: number;
  trialEnd: number | null;
  paymentMethod: string | null;
  pausesWithoutCard: boolean;
  metadata: Record<string, string>;
}): Subscription & { object: "subscription" } => {
  const id = newId("sub");
  const item = {
    id: newId("si", 14),
    object: "subscription_item",
    billing_thresholds: null,
    created: fields.now,
    current_period_end: fields.periodEnd,
    current_period_start: fields.now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan,
    price,
    quantity: 1,
    subscription: id,
    tax_rates: [],
  } satisfies Wire<Stripe.SubscriptionItem>;
  return {
    id,
    object: "subscription",
    application: null,
    application_fee_percent: null,
    automatic_tax: noTax,
    billing_cycle_anchor: fields.trialEnd ?? fields.now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: null, type: "flexible" },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: "charge_automatically",
    created: fields.now,
    currency: CURRENCY,
    customer: fields.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: fields.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: "self" },
    },
    items: { object: "list", data: [item], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: fields.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: fields.now,
    status: fields.trialEnd === null ? "active" : "trialing",
    test_clock: null,
    transfer_data: null,
    trial_end: fields.trialEnd,
    trial_settings: {
      end_behavior: {
        billing_cycle_anchor: null,
        missing_payment_method: fields.pausesWithoutCard ? "pause" : "create_invoice",
      },
    },
    trial_start: fields.trialEnd === null ? null : fields.now,
  };
};

export const newInvoice = (fields: {
  now: number;
  customer: string;
  email: string | null;
  subscription: string;
  reason: "subscription_create" | "subscription_cycle";
  amount: number;
  periodStart: number;
  periodEnd: number;
}): Invoice & { id: string; object: "invoice" } => {
  const id = newId("in");
  return {
    id,
    object: "invoice",
    account_country: "DE",
    account_name: "Leadloom",
    account_tax_ids: null,
    amount_due: fields.amount,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: fields.amount,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: noTax,
    automatically_finalizes_at: null,
    billing_reason: fields.reason,
    collection_method: "charge_automatically",
    created: fields.now,
    currency: CURRENCY,
    custom_fields: null,
    customer: fields.customer,
    customer_account: null,
    customer_address: null,
    customer_email: fields.email,
    customer_name: null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: fields.now,
    ending_balance: 0,
    footer: null,
    from_invoice: null,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
    lines: { object: "list", data: [], has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: id.slice(-8).toUpperCase(),
    on_behalf_of: null,
    parent: {
      quote_details: null,
      subscription_details: { metadata: {}, subscription: fields.subscription },
      type: "subscription_details",
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: fields.periodEnd,
    period_start: fields.periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: "open",
    status_transitions: { finalized_at: fields.now, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: fields.amount,
    subtotal_excluding_tax: fields.amount,
    test_clock: null,
    total: fields.amount,
    total_discount_amounts: [],
    total_excluding_tax: fields.amount,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: fields.now,
  };
};
