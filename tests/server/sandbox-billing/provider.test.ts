import { afterEach, beforeEach, expect, test } from "vitest";
import { startCardProvider } from "../../../sandbox/billing/index.ts";
import { sdk, startProvider, type Sandbox } from "./support.ts";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startProvider();
});
afterEach(() => sandbox.stop());

const ids = () => sandbox.shop.heard.map(({ id }) => id);

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

test("an event that is not accepted is told again, with growing pauses, until it is", async () => {
  sandbox.shop.status = 500;
  await sandbox.stripe.customers.create({ email: "ann@example.com" });
  await sandbox.provider.levers.flush();
  for (const [told, pause] of [1, 2, 4, 8].entries()) {
    await sandbox.pass(pause - 0.001);
    expect(ids()).toHaveLength(told + 1);
    await sandbox.pass(0.001);
    expect(ids()).toHaveLength(told + 2);
  }
  sandbox.shop.status = 200;
  await sandbox.pass(16);
  expect(ids()).toHaveLength(6);
  await sandbox.pass(86_400);
  expect(ids()).toHaveLength(6);
  expect(new Set(ids()).size).toBe(1);
});
test("keeps its books over a restart and delivers what was not heard", async () => {
  const { options, shop, provider, stripe } = sandbox;
  shop.status = 500;
  const key = { idempotencyKey: "before the end" };
  const made = await stripe.customers.create({ email: "ann@example.com" }, key);
  await shop.hears(() => ids().length > 0);
  await provider.close();
  shop.status = 200;
  shop.heard.length = 0;
  const again = await startCardProvider(options);
  try {
    expect(again.port).toBe(provider.port);
    await shop.hears(() => ids().length > 0);
    expect(shop.heard[0]).toMatchObject({ type: "customer.created", data: { object: { id: made.id } } });
    expect((await sdk(again).customers.create({ email: "ann@example.com" }, key)).id).toBe(made.id);
    expect((await sdk(again).customers.list({})).data).toHaveLength(1);
  } finally {
    await again.close();
  }
});
