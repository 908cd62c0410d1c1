import { randomBytes } from "node:crypto";
import type Stripe from "stripe";

type Primitive = string | number | boolean | null | undefined | void;

/** An SDK type in JSON form: decimals are strings. Created objects are checked against these types. */
export type Wire<T> = T extends Primitive
  ? T
  : T extends Stripe.Decimal
    ? string
    : T extends readonly (infer Item)[]
      ? Wire<Item>[]
      : { [Key in keyof T]: Wire<T[Key]> };

export type Customer = Wire<Stripe.Customer>;
export type Price = Wire<Stripe.Price>;
export type Product = Wire<Stripe.Product>;
export type Session = Wire<Stripe.Checkout.Session>;
export type Subscription = Wire<Stripe.Subscription>;
export type Invoice = Wire<Stripe.Invoice>;
export type PortalSession = Wire<Stripe.BillingPortal.Session>;

/** All stored kinds of objects, by their name in `object`. */
export type Kinds = {
  customer: Customer;
  "checkout.session": Session;
  subscription: Subscription;
  invoice: Invoice;
  "billing_portal.session": PortalSession;
};
export type Kind = keyof Kinds;

/** Creates an id in the provider's format: a prefix and random letters. */
export const newId = (prefix: string, length = 24): string =>
  `${prefix}_${randomBytes(length)
    .toString("base64")
    .replaceAll(/[^a-zA-Z0-9]/g, "")
    .slice(0, length)
    .padEnd(length, "0")}`;

/** An error in the provider's format (docs.stripe.com/api/errors). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly body: { error: { type: string; code?: string; message: string; param?: string } };

  constructor(status: number, message: string, detail: { type?: string; code?: string; param?: string } = {}) {
    super(message);
    this.status = status;
    this.body = { error: { type: "invalid_request_error", message, ...detail } };
  }
}

export const missing = (what: string, id: string, param = "id"): ApiError =>
  new ApiError(404, `No such ${what}: '${id}'`, { code: "resource_missing", param });
