import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseForm } from "../../../sandbox/billing/form.ts";
import { startProvider, type Sandbox } from "./support.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startProvider();
});
afterAll(() => sandbox.stop());

const newCheckout = (customer: string, more: object = {}) => ({
  mode: "subscription" as const,
  customer,
  client_reference_id: "user-1",
  line_items: [{ price: sandbox.provider.priceId, quantity: 1 }],
  success_url: "https://shop.example/done?session_id={CHECKOUT_SESSION_ID}",
  cancel_url: "https://shop.example/back",
  ...more,
});
const raw = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${sandbox.provider.port}${path}`, {
    method,
    headers: { authorization: "Bearer sk_test_simulated", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe("the simulated card provider, driven by the unchanged SDK", () => {
  test("keeps customers: made, found by address, changed, erased", async () => {
    const { stripe } = sandbox;
    const made = await stripe.customers.create({ email: "ann@example.com", name: "Ann", metadata: { user_id: "1" } });
    expect(made).toMatchObject({
      object: "customer",
      email: "ann@example.com",
      metadata: { user_id: "1" },
      livemode: false,
    });
    const changed = await stripe.customers.update(made.id, { metadata: { plan: "x" }, name: "Ann Lee" });
    expect(changed).toMatchObject({ name: "Ann Lee", metadata: { user_id: "1", plan: "x" } });
    expect((await stripe.customers.list({ email: "ann@example.com" })).data.map(({ id }) => id)).toEqual([made.id]);
    expect((await stripe.customers.list({ email: "bea@example.com" })).data).toEqual([]);
    expect(await stripe.customers.del(made.id)).toMatchObject({ id: made.id, deleted: true });
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ deleted: true });
    await expect(stripe.checkout.sessions.create(newCheckout(made.id))).rejects.toMatchObject({
      code: "resource_missing",
    });
  });

  test("pages through lists in both directions without losing or repeating anything", async () => {
    const { stripe } = sandbox;
    const email = "many@example.com";
    const made: string[] = [];
    for (let count = 0; count < 25; count += 1) made.push((await stripe.customers.create({ email })).id);
    const newestFirst = made.toReversed();
    const all = await stripe.customers.list({ email, limit: 10 }).autoPagingToArray({ limit: 100 });
    expect(all.map(({ id }) => id)).toEqual(newestFirst);
    const before = await stripe.customers.list({ email, limit: 3, ending_before: newestFirst[10] ?? "" });
    expect(before.data.map(({ id }) => id)).toEqual(newestFirst.slice(7, 10));
    expect(before.has_more).toBe(true);
  });

  test("a repeated key gets the first answer again, also when many ask at once; other parameters are refused", async () => {
    const { stripe } = sandbox;
    const key = { idempotencyKey: "make-bea" };
    const made = await Promise.all(
      Array.from({ length: 50 }, () => stripe.customers.create({ email: "bea@example.com" }, key)),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await stripe.customers.list({ email: "bea@example.com" })).data).toHaveLength(1);
    await expect(stripe.customers.create({ email: "cleo@example.com" }, key)).rejects.toMatchObject({
      type: "StripeIdempotencyError",
    });
    sandbox.clock.jump(25 * 3_600_000);
    expect((await stripe.customers.create({ email: "cleo@example.com" }, key)).email).toBe("cleo@example.com");
  });

  test("refuses what the real provider refuses: unknown parameters, prices, customers, calls and keys", async () => {
    const { stripe } = sandbox;
    const { id } = await stripe.customers.create({ email: "dora@example.com" });
    await expect(stripe.checkout.sessions.create(newCheckout(id, { plan: "gold" }))).rejects.toMatchObject({
      statusCode: 400,
      code: "parameter_unknown",
      param: "plan",
    });
    await expect(
      stripe.checkout.sessions.create(newCheckout(id, { success_url: "javascript:alert(1)" })),
    ).rejects.toMatchObject({ statusCode: 400, param: "success_url" });
    await expect(
      stripe.checkout.sessions.create(newCheckout(id, { line_items: [{ price: "price_other", quantity: 1 }] })),
    ).rejects.toMatchObject({ statusCode: 404, code: "resource_missing" });
    await expect(stripe.subscriptions.retrieve("sub_none")).rejects.toMatchObject({ code: "resource_missing" });
    await expect(stripe.subscriptions.list({ customer: "cus_none" })).rejects.toMatchObject({
      code: "resource_missing",
    });
    expect((await raw("GET", "/v1/nothing")).status).toBe(404);
    expect((await raw("GET", "/v1/customers", undefined, { authorization: "Bearer other" })).status).toBe(401);
    expect((await raw("POST", "/v1/customers", "x".repeat(300_000))).status).toBe(413);
  });

  test("checkout sessions are made, listed, closed, and expire by themselves", async () => {
    const { stripe } = sandbox;
    const { id: customer } = await stripe.customers.create({ email: "emma@example.com" });
    const first = await stripe.checkout.sessions.create(newCheckout(customer));
    expect(first).toMatchObject({ status: "open", payment_status: "unpaid", customer, client_reference_id: "user-1" });
    expect(first.success_url).toBe(`https://shop.example/done?session_id=${first.id}`);
    expect(first.url).toBe(`http://127.0.0.1:9/sandbox/billing/checkout/${first.id}`);
    expect(await stripe.checkout.sessions.expire(first.id)).toMatchObject({ status: "expired", url: null });
    await expect(stripe.checkout.sessions.expire(first.id)).rejects.toMatchObject({ statusCode: 400 });
    const second = await stripe.checkout.sessions.create(newCheckout(customer));
    expect((await stripe.checkout.sessions.list({ customer, status: "open" })).data.map(({ id }) => id)).toEqual([
      second.id,
    ]);
    await sandbox.pass(86_400);
    expect((await stripe.checkout.sessions.retrieve(second.id)).status).toBe("expired");
  });

  test("prices and products are what the checkout shows", async () => {
    const price = await sandbox.stripe.prices.retrieve(sandbox.provider.priceId, { expand: [] });
    expect(price).toMatchObject({
      product: "prod_leadloom",
      unit_amount: 2900,
      currency: "eur",
      recurring: { interval: "month", interval_count: 1 },
    });
    const product = await sandbox.stripe.products.retrieve("prod_leadloom");
    expect(product.name).toBe("Leadloom");
  });

  test("reads forms as the SDK writes them", () => {
    expect(parseForm("a=1&b[c]=2&b[d][0][e]=3&b[d][1][e]=4&expand[]=x&expand[]=y&a=5")).toEqual({
      a: "5",
      b: { c: "2", d: { 0: { e: "3" }, 1: { e: "4" } } },
      expand: { 0: "x", 1: "y" },
    });
    expect(Object.getPrototypeOf(parseForm("__proto__[polluted]=yes"))).toBeNull();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
