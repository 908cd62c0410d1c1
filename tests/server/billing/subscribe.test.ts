import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBillingServer, type BillingServer } from "./support.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await startBillingServer();
});
afterAll(() => server.stop());

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
    expect((await server.call(user, "POST", "/api/billing/confirm", { session_id: session })).body).toEqual({
      status: "active",
    });
    expect((await server.call(user, "POST", "/api/billing/sync")).body).toEqual({ status: "active" });
  });
});
