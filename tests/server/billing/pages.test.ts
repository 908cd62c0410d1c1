import { expect, test } from "vitest";
import { ownBillingServer } from "./support.ts";

const server = await ownBillingServer({ STRIPE_TRIAL_DAYS: "14" });

test("gives a free trial with or without a card; without one it ends paused", async () => {
  const [ann, bea] = [await server.addUser(), await server.addUser()];
  const paid = await server.pay(await server.checkout(ann));
  expect(paid.body).toMatchObject({ payment_status: "no_payment_required" });
  await server.pay(await server.checkout(bea), { card: "none" });
  for (const user of [ann, bea]) {
    const row = await server.row(user);
    expect(row).toMatchObject({ status: "trialing", provider_status: "trialing", expires_at: null });
    expect(row?.trial_ends_at).toBe(row?.current_period_end);
    expect((await server.call(user, "GET", "/api/product")).status).toBe(200);
  }
  const end = (await server.row(bea))?.trial_ends_at;
  server.clock.advance(15 * 86_400);
  await server.settle();
  const row = await server.row(ann);
  expect(row).toMatchObject({ status: "active", next_billing_at: row?.current_period_end });
  expect(await server.row(bea)).toMatchObject({ status: "paused", expires_at: end });
  expect((await server.call(bea, "GET", "/api/product")).status).toBe(402);
});

test("gives no second trial", async () => {
  const user = await server.addUser();
  await server.pay(await server.checkout(user));
  await server.setSubscription(user, { status: "canceled" });
  const { body } = await server.call(user, "POST", "/api/billing/checkout");
  const url = String(body["url"]);
  const { body: page } = await server.call(null, "GET", new URL(url).pathname);
  expect(page).toContain("Pay €29.00");
  expect(page).not.toContain("Start trial");
  await server.pay(url.split("/").at(-1) ?? "");
  expect(await server.row(user)).toMatchObject({ status: "active", provider_status: "active" });
});

test("shows the provider's pages in a language of the browser", async () => {
  const user = await server.addUser();
  const session = await server.checkout(user);
  const read = async (address: string, language: string) =>
    (await fetch(`${server.url}${address}`, { headers: { "accept-language": language } })).text();
  const checkout = `/sandbox/billing/checkout/${session}`;
  expect(await read(checkout, "de")).toContain("14 days free, then €29.00 a month from ");
  const russian = await read(checkout, "ru-RU,ru;q=0.9");
  expect(russian).toContain('<html lang="ru" dir="ltr">');
  expect(russian).toMatch(/14 дней бесплатно, затем 29,00\s€ в месяц начиная с \d+ \p{L}+ \d{4}/u);
  expect(await read("/sandbox/billing/checkout/none", "es")).toContain("Esta página de pago no existe.");
  await server.pay(session);
  const { body } = await server.call(user, "POST", "/api/billing/portal");
  const arabic = await read(new URL(String(body["url"])).pathname, "ar");
  expect(arabic).toMatch(/<html lang="ar" dir="rtl">[^]*خطتك[^]*مجاني حتى /);
});
