import type Stripe from "stripe";
import type { Clock } from "../server-imports.ts";
import type { Store } from "./store.ts";
import { newId, type Customer, type Session, type Subscription, type Wire } from "./wire.ts";

/** Shared by all parts of the provider: the database, the clock, and the address of the hosted pages. */
export type World = {
  store: Store;
  clock: Clock;
  /** Returns the hosted pages' address for browsers. */
  publicUrl: () => string;
};

const API_VERSION = "2026-10-28.endive";

/** The current time in whole seconds, as the provider uses it. */
export const seconds = ({ clock }: World): number => Math.floor(clock.now() / 1000);

/** Writes an event; it is delivered after the transaction commits. */
export function emit(world: World, type: Stripe.Event.Type, object: object, at = seconds(world)): void {
  const event = {
    id: newId("evt"),
    object: "event",
    api_version: API_VERSION,
    created: at,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: null,
    type,
  } satisfies Omit<Wire<Stripe.EventBase>, "data"> & { data: { object: object } };
  world.store.run(
    "insert into events (id, body, made_at, next_at) values (?, ?, ?, ?)",
    event.id,
    JSON.stringify(event),
    world.clock.now(),
    world.clock.now(),
  );
}

export const putCustomer = (world: World, customer: Customer): void =>
  world.store.put(customer, { email: customer.email });

export const putSession = (world: World, session: Session): void =>
  world.store.put(session, { customer: idOf(session.customer) });

/** Returns the id in an expandable field. */
export const idOf = (field: string | { id: string } | null | undefined): string | null =>
  field == null ? null : typeof field === "string" ? field : field.id;

/** Returns the only item: one price, quantity one. */
export function itemOf(subscription: Subscription) {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`${subscription.id} has no item.`);
  return item;
}

/** Adds months; uses the last day of a shorter month. UTC, in seconds. */
export function addMonths(anchor: number, count: number): number {
  const date = new Date(anchor * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime() / 1000;
}

/** Returns the end of the monthly period that starts at `from`, counted from the anchor so that the 31st returns. */
export function periodAfter(anchor: number, from: number): number {
  const start = new Date(anchor * 1000);
  const reached = new Date(from * 1000);
  let months = (reached.getUTCFullYear() - start.getUTCFullYear()) * 12 + reached.getUTCMonth() - start.getUTCMonth();
  while (addMonths(anchor, months) <= from) months += 1;
  return addMonths(anchor, months);
}
