import { AMOUNT, CURRENCY, noTax } from "./catalogue.ts";
import { newId, type Customer, type Session } from "./wire.ts";

export const newCustomer = (fields: {
  now: number;
  email: string | null;
  name: string | null;
  metadata: Record<string, string>;
}) =>
  ({
    id: newId("cus", 14),
    object: "customer",
    address: null,
    balance: 0,
    created: fields.now,
    currency: null,
    default_source: null,
    delinquent: false,
    description: null,
    email: fields.email,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: fields.metadata,
    name: fields.name,
    phone: null,
    shipping: null,
  }) satisfies Customer;

export const newSession = (fields: {
  now: number;
  customer: string;
  clientReferenceId: string | null;
  successUrl: string;
  cancelUrl: string | null;
  metadata: Record<string, string>;
  needsCard: boolean;
  trialDays: number;
  expiresAt: number;
  pageUrl: (id: string) => string;
}): Session & { object: "checkout.session" } => {
  const id = newId("cs_test", 40);
  return {
    id,
    object: "checkout.session",
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: AMOUNT,
    amount_total: fields.trialDays > 0 ? 0 : AMOUNT,
    automatic_tax: noTax,
    billing_address_collection: null,
    cancel_url: fields.cancelUrl,
    client_reference_id: fields.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: fields.now,
    currency: CURRENCY,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: fields.customer,
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: null,
    discounts: [],
    expires_at: fields.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: fields.metadata,
    mode: "subscription",
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: fields.needsCard ? "always" : "if_required",
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ["card"],
    payment_status: "unpaid",
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: "open",
    submit_type: null,
    subscription: null,
    success_url: fields.successUrl.replaceAll("{CHECKOUT_SESSION_ID}", id),
    total_details: null,
    ui_mode: "hosted_page",
    url: fields.pageUrl(id),
    wallet_options: null,
  };
};
