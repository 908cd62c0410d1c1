import type * as v from "valibot";
import { currentSession, expire, keepOffer } from "./checkout.ts";
import type { Form } from "./form.ts";
import { cancelAtPeriodEnd, saveChanged, endSubscription, hasEnded } from "./lifecycle.ts";
import { price, PRICE_ID, product } from "./catalogue.ts";
import { newCustomer, newSession } from "./objects.ts";
import * as params from "./params.ts";
import { ApiError, missing, newId, type Kind, type Kinds, type PortalSession } from "./wire.ts";
import { emit, idOf, putCustomer, putSession, seconds, type World } from "./world.ts";

type Call<P> = { world: World; id: string; params: P };
export type Endpoint = {
  method: string;
  path: RegExp;
  answer: (world: World, id: string, form: Form) => object;
};

const endpoint = <S extends v.GenericSchema>(
  method: string,
  path: string,
  schema: S,
  answer: (call: Call<v.InferOutput<S>>) => object,
): Endpoint => ({
  method,
  path: new RegExp(`^/v1/${path.replace(":id", "([^/]+)")}$`),
  answer: (world, id, form) => answer({ world, id, params: params.readParams(schema, form) }),
});

const A_DAY = 86_400;

function load<K extends Kind>(world: World, kind: K, id: string, param?: string): Kinds[K] {
  const object = world.store.get(kind, id);
  if (object === null) throw missing(kind, id, param);
  return object;
}

function customerThatLives(world: World, id: string): Kinds["customer"] {
  const customer = load(world, "customer", id, "customer");
  if ((customer as { deleted?: unknown }).deleted === true) throw missing("customer", id, "customer");
  return customer;
}

type Page = { limit: number; starting_after?: string | undefined; ending_before?: string | undefined };

/** Returns one page of a list, newest first, by the ids before or after it. */
function pageOf<T extends { id?: string }>(
  url: string,
  all: T[],
  { limit, starting_after: after, ending_before: before }: Page,
) {
  const place = (id: string) => {
    const index = all.findIndex((item) => item.id === id);
    if (index < 0) throw missing("object", id, after === undefined ? "ending_before" : "starting_after");
    return index;
  };
  if (before !== undefined) {
    const stop = place(before);
    return { object: "list", url, data: all.slice(Math.max(0, stop - limit), stop), has_more: stop > limit };
  }
  const start = after === undefined ? 0 : place(after) + 1;
  return { object: "list", url, data: all.slice(start, start + limit), has_more: all.length > start + limit };
}

const customers: Endpoint[] = [
  endpoint("POST", "customers", params.CustomerCreate, ({ world, params: { email, name, metadata } }) => {
    const fields = { now: seconds(world), email: email ?? null, name: name ?? null, metadata: { ...metadata } };
    const customer = newCustomer(fields);
    putCustomer(world, customer);
    emit(world, "customer.created", customer);
    return customer;
  }),
  endpoint("GET", "customers", params.CustomerList, ({ world, params: { email, ...page } }) => {
    const all = world.store.list("customer", email === undefined ? {} : { email });
    return pageOf(
      "/v1/customers",
      all.filter((customer) => !("deleted" in customer)),
      page,
    );
  }),
  endpoint("GET", "customers/:id", params.Nothing, ({ world, id }) => load(world, "customer", id)),
  endpoint(
    "POST",
    "customers/:id",
    params.CustomerUpdate,
    ({ world, id, params: { email, name, metadata, ...rest } }) => {
      const customer = customerThatLives(world, id);
      customer.email = email ?? customer.email;
      customer.name = name ?? customer.name ?? null;
      customer.metadata = { ...customer.metadata, ...metadata };
      if (rest.invoice_settings !== undefined) {
        customer.invoice_settings.default_payment_method = rest.invoice_settings.default_payment_method;
      }
      putCustomer(world, customer);
      emit(world, "customer.updated", customer);
      return customer;
    },
  ),
  endpoint("DELETE", "customers/:id", params.Nothing, ({ world, id }) => {
    customerThatLives(world, id);
    for (const subscription of world.store.list("subscription", { customer: id })) {
      if (!hasEnded(subscription)) endSubscription(world, subscription, seconds(world), "cancellation_requested");
    }
    const gone = { id, object: "customer" as const, deleted: true };
    world.store.put(gone as never);
    emit(world, "customer.deleted", gone);
    return gone;
  }),
];

const checkouts: Endpoint[] = [
  endpoint("POST", "checkout/sessions", params.SessionCreate, ({ world, params: wanted }) => {
    customerThatLives(world, wanted.customer);
    for (const item of wanted.line_items) if (item.price !== PRICE_ID) throw missing("price", item.price, "line_items");
    const now = seconds(world);
    const trialDays = wanted.subscription_data.trial_period_days ?? 0;
    const session = newSession({
      now,
      customer: wanted.customer,
      clientReferenceId: wanted.client_reference_id ?? null,
      successUrl: wanted.success_url,
      cancelUrl: wanted.cancel_url ?? null,
      metadata: { ...wanted.metadata },
      needsCard: wanted.payment_method_collection === "always",
      trialDays,
      expiresAt: wanted.expires_at ?? now + A_DAY,
      pageUrl: (id) => `${world.publicUrl()}/sandbox/billing/checkout/${id}`,
    });
    putSession(world, session);
    keepOffer(world, session.id, {
      trial_period_days: trialDays,
      metadata: { ...wanted.subscription_data.metadata },
    });
    return session;
  }),
  endpoint("GET", "checkout/sessions", params.SessionList, ({ world, params: { customer, status, ...page } }) => {
    const all = world.store.list("checkout.session", customer === undefined ? {} : { customer });
    const current = all.map(({ id }) => currentSession(world, id));
    return pageOf(
      "/v1/checkout/sessions",
      current.filter((session) => (status ?? session.status) === session.status),
      page,
    );
  }),
  endpoint("GET", "checkout/sessions/:id", params.Nothing, ({ world, id }) => currentSession(world, id)),
  endpoint("POST", "checkout/sessions/:id/expire", params.Nothing, ({ world, id }) => {
    const session = currentSession(world, id);
    if (session.status !== "open") throw new ApiError(400, "Only an open checkout can be expired.");
    expire(world, session);
    return session;
  }),
];

const subscriptions: Endpoint[] = [
  endpoint("GET", "subscriptions", params.SubscriptionList, ({ world, params: { customer, status, ...page } }) => {
    if (customer !== undefined) load(world, "customer", customer, "customer");
    const all = world.store.list("subscription", customer === undefined ? {} : { customer });
    const isWanted = (subscription: Kinds["subscription"]) =>
      status === "all" || (status === undefined ? subscription.status !== "canceled" : subscription.status === status);
    return pageOf("/v1/subscriptions", all.filter(isWanted), page);
  }),
  endpoint("GET", "subscriptions/:id", params.Nothing, ({ world, id }) => load(world, "subscription", id)),
  endpoint("POST", "subscriptions/:id", params.SubscriptionUpdate, ({ world, id, params: wanted }) => {
    const subscription = load(world, "subscription", id);
    if (hasEnded(subscription)) throw new ApiError(400, "A canceled subscription can only update its metadata.");
    if (wanted.cancel_at_period_end !== undefined) cancelAtPeriodEnd(world, subscription, wanted.cancel_at_period_end);
    if (wanted.cancel_at !== undefined) {
      subscription.cancel_at = wanted.cancel_at === "" ? null : wanted.cancel_at;
      subscription.canceled_at = wanted.cancel_at === "" ? null : seconds(world);
    }
    subscription.metadata = { ...subscription.metadata, ...wanted.metadata };
    saveChanged(world, subscription);
    return subscription;
  }),
  endpoint("DELETE", "subscriptions/:id", params.Nothing, ({ world, id }) => {
    const subscription = load(world, "subscription", id);
    if (hasEnded(subscription)) throw missing("subscription", id);
    endSubscription(world, subscription, seconds(world), "cancellation_requested");
    return subscription;
  }),
];

const rest: Endpoint[] = [
  endpoint("GET", "prices/:id", params.Nothing, ({ id }) => {
    if (id !== PRICE_ID) throw missing("price", id);
    return price;
  }),
  endpoint("GET", "products/:id", params.Nothing, ({ id }) => {
    if (id !== product.id) throw missing("product", id);
    return product;
  }),
  endpoint("GET", "invoices", params.InvoiceList, ({ world, params: { customer, subscription, status, ...page } }) => {
    const payer = subscription === undefined ? customer : idOf(load(world, "subscription", subscription).customer);
    const all = world.store.list("invoice", payer == null ? {} : { customer: payer });
    const isWanted = (invoice: Kinds["invoice"]) =>
      (customer ?? invoice.customer) === invoice.customer &&
      (status ?? invoice.status) === invoice.status &&
      (subscription === undefined || invoice.parent?.subscription_details?.subscription === subscription);
    return pageOf("/v1/invoices", all.filter(isWanted), page);
  }),
  endpoint("GET", "invoices/:id", params.Nothing, ({ world, id }) => load(world, "invoice", id)),
  endpoint("POST", "billing_portal/sessions", params.PortalCreate, ({ world, params: wanted }) => {
    customerThatLives(world, wanted.customer);
    const id = newId("bps");
    const session = {
      id,
      object: "billing_portal.session",
      configuration: "bpc_leadloom",
      created: seconds(world),
      customer: wanted.customer,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: null,
      on_behalf_of: null,
      return_url: wanted.return_url ?? null,
      url: `${world.publicUrl()}/sandbox/billing/portal/${id}`,
    } satisfies PortalSession;
    world.store.put(session, { customer: wanted.customer });
    return session;
  }),
];

export const endpoints: readonly Endpoint[] = [...customers, ...checkouts, ...subscriptions, ...rest];
