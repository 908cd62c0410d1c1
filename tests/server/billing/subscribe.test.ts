import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeRows } from "../../support/rows.ts";
import { ownBillingServer, type User } from "./support.ts";

const server = await ownBillingServer();

const checkoutUrl = async (user: User) =>
  String((await server.call(user, "POST", "/api/billing/checkout")).body["url"]);
const customersOf = ({ email }: User) => server.provider.world.store.list("customer", { email });

const addPeople = () => Promise.all(Array.from({ length: 8 }, () => server.addUser()));

test("gives access after a paid checkout, before any page has loaded", async () => {
  const user = await server.addUser();
  expect((await server.call(user, "GET", "/api/product")).status).toBe(402);
  const session = await server.checkout(user);
  const paid = await server.pay(session);
  expect(paid).toMatchObject({
    status: 200,
    body: { status: "complete", payment_status: "paid", url: `${server.url}/billing/success?session_id=${session}` },
  });
  const plan = { plan: "Leadloom monthly", price_id: "price_leadloom_monthly", cancel_at_period_end: false };
  const paidFor = { status: "active", provider_status: "active", expires_at: null, ...plan };
  expect(await server.row(user)).toMatchObject({ user_id: user.id, ...paidFor });
  expect((await server.call(user, "GET", "/api/product")).body).toEqual({ open: true });
  const confirmed = await server.call(user, "POST", "/api/billing/confirm", { session_id: session });
  expect(confirmed.body).toEqual({ status: "active" });
  expect((await server.call(user, "POST", "/api/billing/sync")).body).toEqual({ status: "active" });
});

test("gives no access for a declined card, and keeps the checkout open", async () => {
  const user = await server.addUser();
  const session = await server.checkout(user);
  const declined = { status: 402, body: { code: "card_declined", message: "Your card was declined." } };
  expect(await server.pay(session, { decline: true })).toMatchObject(declined);
  const { body } = await server.call(user, "POST", "/api/billing/confirm", { session_id: session });
  expect(body).toMatchObject({ code: "checkout_open" });
  expect((await server.call(user, "GET", "/api/product")).status).toBe(402);
  expect((await server.pay(session)).status).toBe(200);
  expect((await server.call(user, "GET", "/api/product")).status).toBe(200);
});

test("keeps one customer, checkout and subscription on clicks in two tabs", async () => {
  const outcome = async (user: User) => {
    const urls = await Promise.all([1, 2, 3, 4].map(() => checkoutUrl(user)));
    const sessions = [...new Set(urls.map((url) => url.split("/").at(-1) ?? ""))];
    const paid = await Promise.all(sessions.flatMap((session) => [server.pay(session), server.pay(session)]));
    const customers = customersOf(user);
    const subscriptions = server.provider.world.store.list("subscription", { customer: customers[0]?.id ?? "" });
    return [sessions.length, paid.map(({ status }) => status), customers.length, subscriptions.map((s) => s.status)];
  };
  const people = await addPeople();
  expect(await Promise.all(people.map(outcome))).toEqual(people.map(() => [1, [200, 200], 1, ["active"]]));
});

test("makes one row and one change on concurrent webhook, confirm and sync", async () => {
  const people = await addPeople();
  const subscribe = async (user: User) => {
    const session = await server.checkout(user);
    const paying = server.pay(session);
    const confirm = () => server.call(user, "POST", "/api/billing/confirm", { session_id: session });
    const sync = () => server.call(user, "POST", "/api/billing/sync");
    await Promise.all([paying.then(confirm), paying.then(sync), sync(), confirm()]);
  };
  await Promise.all(people.map(subscribe));
  const rows = await Promise.all(people.map((user) => server.row(user)));
  expect(rows.map((row) => row?.status)).toEqual(people.map(() => "active"));
  const ids = people.map(({ id }) => id);
  const { rows: changes } = await sql<{ times: number }>`select count(*)::int as times from audit_log
    where action = 'plan_changed' and user_id = any(${ids}) group by user_id`.execute(server.db);
  expect(changes).toEqual(people.map(() => ({ times: 1 })));
});

test("opens the portal instead of a checkout while a subscription is live", async () => {
  const led = {
    portal: ["active", "trialing", "past_due", "unpaid"],
    checkout: ["canceled", "paused", "incomplete", "incomplete_expired"],
  };
  for (const [page, statuses] of Object.entries(led))
    for (const status of statuses) {
      const user = await server.addUser();
      await server.setSubscription(user, { status });
      expect([status, await checkoutUrl(user)]).toEqual([
        status,
        expect.stringContaining(`${server.url}/sandbox/billing/${page}/`),
      ]);
    }
});

test("reuses an open checkout, and replaces an expired one", async () => {
  const user = await server.addUser();
  const first = await checkoutUrl(user);
  expect(await checkoutUrl(user)).toBe(first);
  server.clock.advance(25 * 3600);
  const second = await checkoutUrl(user);
  expect(second).not.toBe(first);
  expect(await checkoutUrl(user)).toBe(second);
  expect((await server.call(null, "GET", new URL(first).pathname)).status).toBe(410);
});

test("responds to another user's checkout as to an unknown one", async () => {
  const [ann, bea] = [await server.addUser(), await server.addUser()];
  const session = await server.checkout(ann);
  await server.pay(session);
  const confirm = (id: string) => server.call(bea, "POST", "/api/billing/confirm", { session_id: id });
  const [foreign, unknown] = [await confirm(session), await confirm("cs_test_unknown")];
  expect([foreign.status, foreign.body]).toEqual([404, unknown.body]);
  expect(await server.row(bea)).toBeUndefined();
});

test("creates a new customer when the provider has deleted the old one", async () => {
  const user = await server.addUser();
  await server.setSubscription(user, { status: "active" });
  const [lost] = customersOf(user);
  await server.billing.stripe.customers.del(lost?.id ?? "");
  await server.provider.deliveries.flush();
  expect(await server.row(user)).toMatchObject({ status: "canceled" });
  const session = await server.checkout(user);
  expect((await server.pay(session)).status).toBe(200);
  expect(await server.row(user)).toMatchObject({ status: "active", expires_at: null });
  expect(customersOf(user).filter((customer) => !("deleted" in customer))).toHaveLength(1);
});

test("creates a checkout although the offer changed during the request", async () => {
  const user = await server.addUser();
  const first = await checkoutUrl(user);
  await changeRows(server.db, "billing_checkouts", { user_id: user.id }, { session_id: null });
  const { publicUrl } = server.deps.config;
  server.deps.config.publicUrl = `${publicUrl}/`;
  const second = await checkoutUrl(user);
  server.deps.config.publicUrl = publicUrl;
  expect(second).toContain("/sandbox/billing/checkout/");
  expect(second).not.toBe(first);
});

test("redirects only to https or own addresses", async () => {
  const { world } = server.provider;
  const ours = world.publicUrl;
  const payer = await server.addUser();
  await server.setSubscription(payer, { status: "active" });
  const refused = { status: 502, body: { code: "card_provider_answer" } };
  for (const strange of ["http://evil.example", "javascript:alert(1)//"]) {
    world.publicUrl = () => strange;
    expect(await server.call(payer, "POST", "/api/billing/portal")).toMatchObject(refused);
    expect(await server.call(await server.addUser(), "POST", "/api/billing/checkout")).toMatchObject(refused);
  }
  world.publicUrl = ours;
});
