import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBillingServer, type BillingServer, type User } from "./support.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await startBillingServer();
});
afterAll(() => server.stop());

const checkoutUrl = async (user: User) =>
  String((await server.call(user, "POST", "/api/billing/checkout")).body["url"]);
const customersOf = ({ email }: User) => server.provider.world.store.list("customer", { email });

/** Does the same for everybody, ten at once. */
async function inTens<T>(people: User[], work: (user: User) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let start = 0; start < people.length; start += 10)
    done.push(...(await Promise.all(people.slice(start, start + 10).map(work))));
  return done;
}

describe("subscribing", () => {
  test("someone who pays at the checkout may use the product, before any page has loaded", async () => {
    const user = await server.addUser();
    expect((await server.call(user, "GET", "/api/product")).status).toBe(402);
    const session = await server.checkout(user);
    const paid = await server.pay(session);
    expect(paid).toMatchObject({
      status: 200,
      body: { status: "complete", payment_status: "paid", url: `${server.url}/billing/success?session_id=${session}` },
    });
    expect(await server.row(user)).toMatchObject({
      user_id: user.id,
      status: "active",
      provider_status: "active",
      plan: "Leadloom monthly",
      price_id: "price_leadloom_monthly",
      cancel_at_period_end: false,
      expires_at: null,
    });
    expect((await server.call(user, "GET", "/api/product")).body).toEqual({ open: true });
    const confirmed = await server.call(user, "POST", "/api/billing/confirm", { session_id: session });
    expect(confirmed.body).toEqual({ status: "active" });
    expect((await server.call(user, "POST", "/api/billing/sync")).body).toEqual({ status: "active" });
  });

  test("a declined card pays nothing and opens nothing; the checkout stays open for another try", async () => {
    const user = await server.addUser();
    const session = await server.checkout(user);
    expect(await server.pay(session, { decline: true })).toMatchObject({
      status: 402,
      body: { code: "card_declined", message: "Your card was declined." },
    });
    expect((await server.call(user, "POST", "/api/billing/confirm", { session_id: session })).body).toMatchObject({
      code: "checkout_open",
    });
    expect((await server.call(user, "GET", "/api/product")).status).toBe(402);
    expect((await server.pay(session)).status).toBe(200);
    expect((await server.call(user, "GET", "/api/product")).status).toBe(200);
  });

  test("of 100 people who click twice in two tabs, each has one customer, one checkout and one live subscription", async () => {
    const people = await Promise.all(Array.from({ length: 100 }, () => server.addUser()));
    const outcomes = await inTens(people, async (user) => {
      const urls = await Promise.all([1, 2, 3, 4].map(() => checkoutUrl(user)));
      const sessions = [...new Set(urls.map((url) => url.split("/").at(-1) ?? ""))];
      const paid = await Promise.all(sessions.flatMap((session) => [server.pay(session), server.pay(session)]));
      const [customer] = customersOf(user);
      const subscriptions = server.provider.world.store.list("subscription", { customer: customer?.id ?? "" });
      return {
        sessions: sessions.length,
        paid: paid.map(({ status }) => status),
        customers: customersOf(user).length,
        subscriptions: subscriptions.map(({ status }) => status),
      };
    });
    const once = { sessions: 1, paid: [200, 200], customers: 1, subscriptions: ["active"] };
    expect(outcomes).toEqual(people.map(() => once));
  });

  test("webhook, confirm and sync at once, for 100 people, make one row and one change each", async () => {
    const people = await Promise.all(Array.from({ length: 100 }, () => server.addUser()));
    await inTens(people, async (user) => {
      const session = await server.checkout(user);
      const paying = server.pay(session);
      await Promise.all([
        paying.then(() => server.call(user, "POST", "/api/billing/confirm", { session_id: session })),
        paying.then(() => server.call(user, "POST", "/api/billing/sync")),
        server.call(user, "POST", "/api/billing/sync"),
        server.call(user, "POST", "/api/billing/confirm", { session_id: session }),
      ]);
    });
    const ids = people.map(({ id }) => id);
    const rows = await server.db.selectFrom("subscriptions").select("status").where("user_id", "in", ids).execute();
    expect(rows).toEqual(people.map(() => ({ status: "active" })));
    const changes = await server.db
      .selectFrom("audit_log")
      .select(({ fn }) => ["user_id", fn.countAll<string>().as("times")])
      .where("user_id", "in", ids)
      .where("action", "=", "plan_changed")
      .groupBy("user_id")
      .execute();
    expect(changes.map(({ times }) => times)).toEqual(people.map(() => "1"));
  });

  test("while a subscription lives, or only its payment is missing, the checkout leads to the portal", async () => {
    for (const status of ["active", "trialing", "past_due", "unpaid"]) {
      const user = await server.addUser();
      await server.lever(user, { status });
      expect(await checkoutUrl(user)).toMatch(`${server.url}/sandbox/billing/portal/bps_`);
    }
    for (const status of ["canceled", "paused", "incomplete", "incomplete_expired"]) {
      const user = await server.addUser();
      await server.lever(user, { status });
      expect(await checkoutUrl(user)).toMatch(`${server.url}/sandbox/billing/checkout/cs_test_`);
    }
  });

  test("a checkout left open is found again, an expired one is replaced", async () => {
    const user = await server.addUser();
    const first = await checkoutUrl(user);
    expect(await checkoutUrl(user)).toBe(first);
    server.clock.advance(25 * 3600);
    const second = await checkoutUrl(user);
    expect(second).not.toBe(first);
    expect(await checkoutUrl(user)).toBe(second);
    expect((await server.call(null, "GET", new URL(first).pathname)).status).toBe(410);
  });

  test("a checkout of somebody else is answered like one that does not exist", async () => {
    const [ann, bea] = [await server.addUser(), await server.addUser()];
    const session = await server.checkout(ann);
    await server.pay(session);
    const foreign = await server.call(bea, "POST", "/api/billing/confirm", { session_id: session });
    const unknown = await server.call(bea, "POST", "/api/billing/confirm", { session_id: "cs_test_unknown" });
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
    expect(await server.row(bea)).toBeUndefined();
  });

  test("billing needs a sign-in and nothing more; unknown fields are refused", async () => {
    for (const path of ["checkout", "portal", "sync", "confirm"])
      expect((await server.call(null, "POST", `/api/billing/${path}`)).status).toBe(401);
    const user = await server.addUser();
    expect((await server.call(user, "POST", "/api/billing/sync")).body).toEqual({ status: null });
    expect(await server.call(user, "POST", "/api/billing/portal")).toMatchObject({
      status: 409,
      body: { code: "no_customer" },
    });
    const extra = { session_id: "cs_test_1", plan: "gold" };
    expect((await server.call(user, "POST", "/api/billing/confirm", extra)).status).toBe(422);
  });

  test("a customer that the provider erased is made anew", async () => {
    const user = await server.addUser();
    await server.lever(user, { status: "active" });
    const [lost] = customersOf(user);
    await server.billing.stripe.customers.del(lost?.id ?? "");
    await server.provider.levers.flush();
    expect(await server.row(user)).toMatchObject({ status: "canceled" });
    const session = await server.checkout(user);
    expect((await server.pay(session)).status).toBe(200);
    expect(await server.row(user)).toMatchObject({ status: "active", expires_at: null });
    expect(customersOf(user).filter((customer) => !("deleted" in customer))).toHaveLength(1);
  });

  test("an offer that changed while a checkout was being made does not stand in the way", async () => {
    const user = await server.addUser();
    const first = await checkoutUrl(user);
    await server.db.updateTable("billing_checkouts").set({ session_id: null }).where("user_id", "=", user.id).execute();
    const { publicUrl } = server.deps.config;
    server.deps.config.publicUrl = `${publicUrl}/`;
    const second = await checkoutUrl(user);
    server.deps.config.publicUrl = publicUrl;
    expect(second).toContain("/sandbox/billing/checkout/");
    expect(second).not.toBe(first);
  });

  test("nobody is sent to an address that is neither https nor ours", async () => {
    const { world } = server.provider;
    const ours = world.publicUrl;
    const payer = await server.addUser();
    await server.lever(payer, { status: "active" });
    const refused = { status: 502, body: { code: "card_provider_answer" } };
    for (const strange of ["http://evil.example", "javascript:alert(1)//"]) {
      world.publicUrl = () => strange;
      expect(await server.call(payer, "POST", "/api/billing/portal")).toMatchObject(refused);
      expect(await server.call(await server.addUser(), "POST", "/api/billing/checkout")).toMatchObject(refused);
    }
    world.publicUrl = ours;
  });
});
