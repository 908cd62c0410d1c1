import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { createBilling } from "../../../server/billing/context.ts";
import { ownBillingServer } from "./support.ts";

const server = await ownBillingServer();
/** Accepts requests and never responds. */
const silent = createServer(() => {});
await once(silent.listen(0, "127.0.0.1"), "listening");
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

/** Directs billing to another port while `work` runs. */
async function at<T>(port: number, work: () => Promise<T>): Promise<T> {
  const { stripe } = server.billing;
  const elsewhere = { host: "127.0.0.1", port, priceId: server.billing.priceId };
  server.billing.stripe = createBilling(server.deps, elsewhere).stripe;
  return work().finally(() => {
    server.billing.stripe = stripe;
  });
}
test("reports the outage on every billing call in time, and keeps access", async () => {
  const user = await server.addUser();
  const session = await server.checkout(user);
  await server.pay(session);
  for (const port of [1, (silent.address() as AddressInfo).port]) {
    await at(port, async () => {
      const answers = await Promise.all([
        server.call(user, "POST", "/api/billing/sync"),
        server.call(user, "POST", "/api/billing/confirm", { session_id: session }),
      ]);
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 503, body: { code: "card_provider_away" } });
        expect(answer.headers.get("retry-after")).toBe("5");
      }
      expect((await server.call(user, "GET", "/api/product")).status).toBe(200);
    });
  }
  await at(1, async () => {
    expect((await server.call(user, "POST", "/api/billing/portal")).status).toBe(503);
    expect((await server.call(await server.addUser(), "POST", "/api/billing/checkout")).status).toBe(503);
  });
  expect((await server.call(user, "POST", "/api/billing/sync")).body).toEqual({ status: "active" });
});

test("accepts a webhook's retry after a failed follow-up", async () => {
  const user = await server.addUser();
  const session = await server.checkout(user);
  await at(1, async () => {
    await server.pay(session);
    expect(await server.row(user)).toBeUndefined();
  });
  server.clock.advance(60);
  await server.idle();
  expect((await server.row(user))?.status).toBe("active");
});
