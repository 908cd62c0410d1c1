import { afterAll, describe, expect, test } from "vitest";
import { payCheckout } from "../../../sandbox/billing/checkout.ts";
import { putCard } from "../../../sandbox/billing/lifecycle.ts";
import { addMonths, periodAfter } from "../../../sandbox/billing/world.ts";
import { startProvider } from "./support.ts";

const DAY = 86_400;
const sandbox = await startProvider();
let people = 0;
afterAll(() => sandbox.stop());

/** A customer who went through the checkout. */
async function subscribe(options: { trialDays?: number; withCard?: boolean } = {}) {
  const { stripe, provider } = sandbox;
  const { id: customer } = await stripe.customers.create({ email: `customer${(people += 1)}@example.com` });
  const trial = options.trialDays === undefined ? {} : { trial_period_days: options.trialDays };
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer,
    line_items: [{ price: provider.priceId, quantity: 1 }],
    success_url: "https://shop.example/done",
    payment_method_collection: "if_required",
    subscription_data: { metadata: { user_id: "1" }, ...trial },
  });
  sandbox.shop.heard.length = 0;
  provider.world.store.transact(() =>
    payCheckout(provider.world, session.id, { decline: false, withCard: options.withCard ?? true }),
  );
  await provider.settle();
  const [subscription] = (await stripe.subscriptions.list({ customer })).data;
  if (subscription === undefined) throw new Error("the checkout made no subscription");
  return { customer, session: session.id, id: subscription.id };
}
const read = (id: string) => sandbox.stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] });
const useCard = (customer: string, declines: boolean) =>
  sandbox.provider.world.store.transact(() => putCard(sandbox.provider.world, customer, declines));
const utc = (text: string) => Date.parse(`${text}T12:00:00Z`) / 1000;
const days = (...times: number[]) => times.map((time) => new Date(time * 1000).toISOString().slice(0, 10));

describe("subscriptions at the simulated provider", () => {
  test("a paid checkout starts one, and says so by events whose order cannot be relied on", async () => {
    const { id, session, customer } = await subscribe();
    const subscription = await read(id);
    expect(subscription).toMatchObject({ status: "active", customer, metadata: { user_id: "1" } });
    expect(subscription.latest_invoice).toMatchObject({
      status: "paid",
      amount_paid: 2900,
      billing_reason: "subscription_create",
    });
    expect(await sandbox.stripe.checkout.sessions.retrieve(session)).toMatchObject({
      status: "complete",
      payment_status: "paid",
      subscription: id,
    });
    expect(sandbox.shop.types().toSorted()).toEqual([
      "checkout.session.completed",
      "customer.subscription.created",
      "customer.subscription.updated",
      "customer.updated",
      "invoice.created",
      "invoice.paid",
    ]);
    const created = sandbox.shop.heard.find(({ type }) => type === "customer.subscription.created");
    expect(created?.data.object).toMatchObject({ status: "incomplete" });
  });

  test("periods are calendar months from the first day, and the 31st comes back after a short month", () => {
    const anchor = utc("2027-01-31");
    expect(days(addMonths(anchor, 1), addMonths(anchor, 2), addMonths(anchor, 13))).toEqual([
      "2027-02-28",
      "2027-03-31",
      "2028-02-29",
    ]);
    const ends = [periodAfter(anchor, anchor)];
    for (let month = 0; month < 3; month += 1) ends.push(periodAfter(anchor, ends.at(-1) ?? 0));
    expect(days(...ends)).toEqual(["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]);
  });

  test("a year that passes at once is billed month by month", async () => {
    const { id, customer } = await subscribe();
    await sandbox.pass(366 * DAY);
    const invoices = await sandbox.stripe.invoices.list({ customer, limit: 100 });
    expect(invoices.data.map(({ status, total }) => `${status} ${total}`)).toEqual(
      Array.from({ length: 13 }, () => "paid 2900"),
    );
    const [item] = (await read(id)).items.data;
    expect(item?.current_period_end).toBeGreaterThan(sandbox.clock.now() / 1000);
    expect(item?.current_period_start).toBe(invoices.data[0]?.created);
  });

  test("a failing card is tried after 3, 5 and 7 days more, then the subscription ends", async () => {
    const { id, customer } = await subscribe();
    useCard(customer, true);
    const end = (await read(id)).items.data[0]?.current_period_end ?? 0;
    const seen: string[] = [];
    for (const daysAfter of [0, 3, 8, 15]) {
      await sandbox.pass(end + daysAfter * DAY + 60 - sandbox.clock.now() / 1000);
      const { status, latest_invoice: invoice } = await read(id);
      seen.push(`${status}, ${typeof invoice === "object" ? invoice?.attempt_count : ""} tries`);
    }
    expect(seen).toEqual(["past_due, 1 tries", "past_due, 2 tries", "past_due, 3 tries", "canceled, 4 tries"]);
    expect((await read(id)).cancellation_details?.reason).toBe("payment_failed");
  });

  test("lists leave ended subscriptions out unless asked for them", async () => {
    const { id, customer } = await subscribe();
    await sandbox.stripe.subscriptions.cancel(id);
    const counts = [undefined, "all", "canceled", "active"] as const;
    const found = await Promise.all(
      counts.map(
        async (status) =>
          (await sandbox.stripe.subscriptions.list({ customer, ...(status === undefined ? {} : { status }) })).data
            .length,
      ),
    );
    expect(found).toEqual([0, 1, 1, 0]);
  });
});
