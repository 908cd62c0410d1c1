import type Stripe from "stripe";
import type { Clock } from "../door.ts";
import type { Store } from "./store.ts";
import { newId, type Customer, type Session, type Subscription, type Wire } from "./wire.ts";

/** What the provider's parts work on: the books, the time, and where its pages are. */
export type World = {
  store: Store;
  clock: Clock;
  /** Returns the address of the hosted pages, as browsers reach them. */
  publicUrl: () => string;
};

const API_VERSION = "2026-10-28.endive";

/** The provider counts whole seconds. */
export const seconds = ({ clock }: World): number => Math.floor(clock.now() / 1000);

/** Writes an event down, to be delivered after the transaction it belongs to. */
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

/** The id in a field that the provider may expand. */
export const idOf = (field: string | { id: string } | null | undefined): string | null =>
  field == null ? null : typeof field === "string" ? field : field.id;

/** The only item there is: one price, once. */
export function itemOf(subscription: Subscription) {
  const [item] = subscription.items.data;
  if (item === undefined) throw new Error(`${subscription.id} has no item.`);
  return item;
}

/** The same day `count` months later, or that month's last day when it is shorter. UTC, in seconds. */
export function addMonths(anchor: number, count: number): number {
  const date = new Date(anchor * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime() / 1000;
}

/** The end of the month-long period that follows `from`, counted from the anchor so that the 31st comes back. */
export function periodAfter(anchor: number, from: number): number {
  const start = new Date(anchor * 1000);
  const reached = new Date(from * 1000);
  let months = (reached.getUTCFullYear() - start.getUTCFullYear()) * 12 + reached.getUTCMonth() - start.getUTCMonth();
  while (addMonths(anchor, months) <= from) months += 1;
  return addMonths(anchor, months);
}
