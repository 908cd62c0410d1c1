import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createBilling, type Billing } from "../../../server/billing/context.ts";
import { reconcile } from "../../../server/billing/reconcile.ts";
import { unknownShare } from "../../../server/billing/own-account.ts";
import { startCardProvider } from "../../../sandbox/billing/provider.ts";
import { newFolder } from "../../support/run-folder.ts";
import { ownBillingServer, type User } from "./support.ts";

const server = await ownBillingServer();
const foreign = await startCardProvider({
  dir: newFolder(),
  clock: server.clock,
  work: server.deps.work,
  webhookUrl: () => "http://127.0.0.1:1/",
  webhookSecret: "whsec_foreign",
  publicUrl: () => server.deps.config.publicUrl,
});
afterAll(() => foreign.close());
beforeEach(() => server.db.deleteFrom("auth.users").execute());

const subscribers = async (count: number): Promise<User[]> => {
  const people = await Promise.all(Array.from({ length: count }, () => server.addUser()));
  for (const user of people) await server.setSubscription(user, { status: "active" });
  await server.settle();
  return people;
};
/** Billing after a restart with the key of another account. */
const withForeignKey = (): Billing => createBilling(server.deps, foreign);
const statuses = async (people: readonly User[]) =>
  Promise.all(people.map(async (user) => (await server.row(user))?.provider_status));

describe("a provider key of another account", () => {
  test("ends no access in the nightly sync, which stops with an alert", async () => {
    const people = await subscribers(12);
    const rows = await Promise.all(people.map((user) => server.row(user)));
    server.logs.length = 0;
    const billing = withForeignKey();
    await expect(reconcile(billing)).rejects.toMatchObject({ status: 503, code: "card_provider_foreign" });
    expect(await Promise.all(people.map((user) => server.row(user)))).toEqual(rows);
    expect(server.logs).toEqual([expect.objectContaining({ level: 50, unknown: 12, sampled: 12, knows_price: true })]);
    expect(unknownShare(billing)).toBe(1);
    // With the right key the next run succeeds.
    expect(await reconcile(server.billing)).toEqual({ customers: 12, failed: 0 });
    expect(unknownShare(server.billing)).toBe(0);
  });

  test("ends no access and removes no customer on sync or checkout", async () => {
    const [ann] = (await subscribers(3)) as [User];
    const newcomer = await server.addUser();
    await server.checkout(newcomer);
    const { stripe } = server.billing;
    const customers = () =>
      server.db.selectFrom("billing_customers").select(["user_id", "customer_id"]).orderBy("user_id").execute();
    const before = await customers();
    server.billing.stripe = withForeignKey().stripe;
    try {
      for (const call of ["sync", "checkout"]) {
        const answer = await server.call(ann, "POST", `/api/billing/${call}`);
        expect(answer).toMatchObject({ status: 503, body: { code: "card_provider_foreign" } });
        expect(answer.headers.get("retry-after")).toBe("60");
      }
      expect((await server.call(newcomer, "POST", "/api/billing/checkout")).status).toBe(503);
    } finally {
      server.billing.stripe = stripe;
    }
    expect(await statuses([ann])).toEqual(["active"]);
    expect(await customers()).toEqual(before);
  });

  test("is detected by its price when there is only one customer", async () => {
    const [only] = (await subscribers(1)) as [User];
    await expect(reconcile({ ...withForeignKey(), priceId: "price_elsewhere" })).rejects.toMatchObject({ status: 503 });
    expect(await statuses([only])).toEqual(["active"]);
  });
});

test("ends access of a customer or two whom the provider no longer knows", async () => {
  const people = await subscribers(20);
  const lost = people.slice(0, 2);
  for (const user of lost) {
    const { provider_customer_id: id } = (await server.row(user)) ?? {};
    server.provider.world.store.all(`delete from objects where id = '${id}'`);
  }
  expect(await reconcile({ ...server.billing })).toEqual({ customers: 20, failed: 0 });
  expect(await statuses(lost)).toEqual(["missing", "missing"]);
  expect(await statuses(people.slice(2))).toEqual(Array.from({ length: 18 }, () => "active"));
});
