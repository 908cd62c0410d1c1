import type Stripe from "stripe";
import type { Price, Product, Wire } from "./wire.ts";

export const PRICE_ID = "price_leadloom_monthly";
const PRODUCT_ID = "prod_leadloom";
export const CURRENCY = "eur";
export const AMOUNT = 2_900;
const SINCE = Date.UTC(2026, 0, 1) / 1000;

export const product = {
  id: PRODUCT_ID,
  object: "product",
  active: true,
  created: SINCE,
  default_price: PRICE_ID,
  description: "Telegram conversations as leads, followed up at the right hour.",
  images: [],
  livemode: false,
  marketing_features: [],
  metadata: {},
  name: "Leadloom",
  package_dimensions: null,
  shippable: null,
  tax_details: null,
  type: "service",
  updated: SINCE,
  url: null,
} satisfies Product;

export const price = {
  id: PRICE_ID,
  object: "price",
  active: true,
  billing_scheme: "per_unit",
  created: SINCE,
  currency: CURRENCY,
  custom_unit_amount: null,
  livemode: false,
  lookup_key: "leadloom_monthly",
  metadata: {},
  nickname: "Leadloom monthly",
  product: PRODUCT_ID,
  recurring: { interval: "month", interval_count: 1, meter: null, trial_period_days: null, usage_type: "licensed" },
  tax_behavior: "inclusive",
  tiers_mode: null,
  transform_quantity: null,
  type: "recurring",
  unit_amount: AMOUNT,
  unit_amount_decimal: String(AMOUNT),
} satisfies Price;

export const plan = {
  id: PRICE_ID,
  object: "plan",
  active: true,
  amount: AMOUNT,
  amount_decimal: String(AMOUNT),
  billing_scheme: "per_unit",
  created: SINCE,
  currency: CURRENCY,
  interval: "month",
  interval_count: 1,
  livemode: false,
  metadata: {},
  meter: null,
  nickname: price.nickname,
  product: PRODUCT_ID,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: "licensed",
} satisfies Wire<Stripe.Plan>;

/** Prices are without tax. */
export const noTax = { enabled: false, liability: null, disabled_reason: null, provider: null, status: null };
