import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startCardProvider } from "../../../sandbox/billing/index.ts";
import { sdk, startProvider, type Sandbox } from "./support.ts";

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startProvider();
});
afterEach(() => sandbox.stop());

const make = async (count: number) => {
  for (let made = 0; made < count; made += 1) await sandbox.stripe.customers.create({ email: `${made}@example.com` });
};
const ids = () => sandbox.shop.heard.map(({ id }) => id);

describe("webhooks of the simulated provider", () => {
  test("each event is told once, in order, with a signature that the SDK accepts", async () => {
    await make(5);
    await sandbox.provider.levers.flush();
    expect(sandbox.shop.types()).toEqual(Array.from({ length: 5 }, () => "customer.created"));
    expect(new Set(ids()).size).toBe(5);
  });

  test("an event that is not accepted is told again, with growing pauses, until it is", async () => {
    sandbox.shop.status = 500;
    await make(1);
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

  test("after three days without an answer an event is given up", async () => {
    sandbox.shop.status = 500;
    await make(1);
    await sandbox.provider.levers.flush();
    await sandbox.pass(4 * 86_400);
    await sandbox.pass(3_600);
    expect(sandbox.provider.world.store.all("select 1 from events")).toEqual([]);
  });

  test("on demand they come twice, shuffled, or not yet", async () => {
    const { weather, flush } = sandbox.provider.levers;
    weather.held = true;
    await make(40);
    expect(ids()).toEqual([]);
    Object.assign(weather, { held: false, shuffled: true, duplicates: 1 });
    await flush();
    const written = sandbox.provider.world.store
      .all<{ id: string }>("select id from events order by seq")
      .map(({ id }) => id);
    const heard = ids();
    expect(heard).toHaveLength(80);
    expect([...new Set(heard)].toSorted()).toEqual(written.toSorted());
    expect([...new Set(heard)]).not.toEqual(written);
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
});
