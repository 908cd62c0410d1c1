import { expect, test, vi } from "vitest";
import { endSubscriptions } from "../../../server/billing/leave.ts";
import { reconcile } from "../../../server/billing/reconcile.ts";
import { runBillingLives } from "../../../tools/chaos/models/billing-lives.ts";
import { fulfil } from "../../../server/billing/fulfil.ts";
import { ownBillingServer, type User } from "./support.ts";

const DAY = 86_400;
const server = await ownBillingServer({ PAST_DUE_GRACE_DAYS: "7" });

/** Lets time pass, and waits for the provider's webhooks about what became due. */
async function pass(seconds: number): Promise<void> {
  server.clock.advance(seconds);
  await server.settle();
}
const canWork = async (user: User) => (await server.call(user, "GET", "/api/product")).status === 200;

async function subscriber(): Promise<User> {
  const user = await server.addUser();
  await server.pay(await server.checkout(user));
  return user;
}
const openCheckout = (customer: string, more: { client_reference_id?: string } = {}) =>
  server.billing.stripe.checkout.sessions.create({
    mode: "subscription",
    customer,
    line_items: [{ price: server.billing.priceId, quantity: 1 }],
    success_url: `${server.url}/billing/success`,
    ...more,
  });
/** Presses a button on the portal page. */
async function inPortal(user: User, verb: string, form: Record<string, string> = {}) {
  const { body } = await server.call(user, "POST", "/api/billing/portal");
  const page = new URL(String(body["url"]));
  const row = await server.row(user);
  const fields = new URLSearchParams({ subscription: row?.provider_subscription_id ?? "", ...form });
  const response = await fetch(`${server.url}${page.pathname}/${verb}`, {
    method: "POST",
    body: fields,
    redirect: "manual",
  });
  expect([response.status, response.headers.get("location")]).toEqual([303, page.pathname]);
}

test("gives access until the period ends after a cancellation, and further if resumed", async () => {
  const user = await subscriber();
  await inPortal(user, "cancel");
  const ending = await server.row(user);
  const expected = { status: "active", cancel_at_period_end: true, next_billing_at: null, expires_at: null };
  expect(ending).toMatchObject(expected);
  await inPortal(user, "renew");
  expect(await server.row(user)).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
  await inPortal(user, "cancel");
  expect(await canWork(user)).toBe(true);
  // The next call already sees the end, before any webhook arrives.
  server.provider.deliveries.faults.held = true;
  server.clock.advance(32 * DAY);
  expect(await canWork(user)).toBe(false);
  server.provider.deliveries.faults.held = false;
  await server.settle();
  expect(await canWork(user)).toBe(false);
  const ended = await server.row(user);
  expect(ended).toMatchObject({ status: "canceled", provider_status: "canceled" });
  expect(ended?.expires_at).toBe(ending?.current_period_end);
});

test("allows seven days to replace the card after a failed renewal", async () => {
  const user = await subscriber();
  await server.setSubscription(user, { payment_fails: true });
  const { current_period_end: due } = (await server.row(user)) ?? {};
  await pass(32 * DAY);
  const owing = await server.row(user);
  expect(owing).toMatchObject({ status: "active", provider_status: "past_due", past_due_since: due });
  expect(Date.parse(owing?.expires_at ?? "") - Date.parse(due ?? "")).toBe(7 * DAY * 1000);
  expect(await canWork(user)).toBe(true);
  await inPortal(user, "card");
  const mended = { status: "active", provider_status: "active", expires_at: null, past_due_since: null };
  expect(await server.row(user)).toMatchObject(mended);
  await pass(31 * DAY);
  expect(await canWork(user)).toBe(true);
});

test("raises an alert for a second live subscription, and keeps the first", async () => {
  const user = await subscriber();
  const first = await server.row(user);
  const { world } = server.provider;
  const customer = first?.provider_customer_id ?? "";
  const session = await openCheckout(customer, { client_reference_id: user.id });
  server.logs.length = 0;
  await server.pay(session.id);
  const living = world.store.list("subscription", { customer }).map(({ id }) => id);
  expect(living).toHaveLength(2);
  expect(await server.row(user)).toEqual(first);
  expect(server.logs[0]).toMatchObject({ level: 50, user: user.id, subscriptions: living });
  // The subscription in use ends; the other paid one replaces it.
  await server.billing.stripe.subscriptions.cancel(first?.provider_subscription_id ?? "");
  await server.settle();
  const second = living.find((id) => id !== first?.provider_subscription_id);
  expect(await server.row(user)).toMatchObject({ status: "active", provider_subscription_id: second });
});

test("repairs three days of missed webhooks by sync and by the nightly sync", async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => server.addUser()));
  for (const user of people) await server.setSubscription(user, { status: "active" });
  server.provider.deliveries.faults.held = true;
  const changes = [{ cancel_at_period_end: true }, ...["canceled", "unpaid", "past_due"].map((status) => ({ status }))];
  for (const [index, user] of people.entries()) await server.setSubscription(user, changes[index] ?? {});
  server.clock.advance(3 * DAY);
  const [ann, bea] = people as [User, User];
  expect((await server.call(bea, "POST", "/api/billing/sync")).body).toEqual({ status: "canceled" });
  expect(await server.row(ann)).toMatchObject({ cancel_at_period_end: false });
  const read = await reconcile(server.billing);
  expect(read.failed).toBe(0);
  expect(read.customers).toBeGreaterThanOrEqual(people.length);
  const rows = await Promise.all(people.map((user) => server.row(user)));
  const healed = ["active true", "canceled false", "unpaid false", "past_due false"];
  expect(rows.map((row) => `${row?.provider_status} ${row?.cancel_at_period_end}`)).toEqual(healed);
  server.provider.deliveries.faults.held = false;
  await server.settle();
  expect(server.provider.world.store.all("select 1 from events where delivered_at is null")).toEqual([]);
  expect(await Promise.all(people.map((user) => server.row(user)))).toEqual(rows);
});

test("does not overwrite a newer read with an older response", async () => {
  const user = await subscriber();
  const { subscriptions } = server.billing.stripe;
  const list = subscriptions.list.bind(subscriptions);
  const [read, arrival] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  vi.spyOn(subscriptions, "list").mockImplementationOnce((query) => {
    const autoPagingToArray = async (options: { limit: number }) => {
      const found = await list(query).autoPagingToArray(options);
      read.resolve();
      await arrival.promise;
      return found;
    };
    return Object.assign(list(query), { autoPagingToArray: autoPagingToArray as never });
  });
  // Another process has its own queue.
  const late = fulfil({ ...server.billing }, user.id, "webhook");
  await read.promise;
  await server.setSubscription(user, { status: "canceled" });
  arrival.resolve();
  await late;
  expect(await server.row(user)).toMatchObject({ status: "canceled", provider_status: "canceled" });
});

test("matches the provider in 60 generated histories with repeats and reordering", async () => {
  const { events, wrong } = await runBillingLives(60);
  expect(wrong).toEqual({});
  expect(events).toBeGreaterThan(60 * 12);
});

test("ends subscription, open checkout and customer when the user leaves, once", async () => {
  const user = await subscriber();
  const customer = (await server.row(user))?.provider_customer_id ?? "";
  const { stripe } = server.billing;
  const open = await openCheckout(customer);
  await endSubscriptions(server.billing, user.id);
  await endSubscriptions(server.billing, user.id);
  await server.settle();
  const { data } = await stripe.subscriptions.list({ customer, status: "all" });
  expect(data).toMatchObject([{ status: "canceled" }]);
  expect((await stripe.checkout.sessions.retrieve(open.id)).status).toBe("expired");
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  expect(await canWork(user)).toBe(false);
  await endSubscriptions(server.billing, (await server.addUser()).id);
});
