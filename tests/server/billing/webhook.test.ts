import { createHmac, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { ownBillingServer } from "./support.ts";
import { rowOf, rowsOf } from "../../support/rows.ts";

const NEWEST = "whsec_newest";
const OLDER = "whsec_older";
const server = await ownBillingServer();
// Two secrets, as during a rotation.
server.deps.config.billing.webhookSecrets.splice(0, Infinity, NEWEST, OLDER);
server.provider.deliveries.faults.held = true;
const user = await server.addUser();
const customer = String((await server.setSubscription(user, { status: "active" })).body["customer"]);

const event = (id = `evt_${randomUUID()}`) =>
  JSON.stringify({
    id,
    object: "event",
    type: "customer.subscription.updated",
    data: { object: { id: "sub_1", object: "subscription", customer, status: "active" } },
  });
const now = () => Math.floor(server.clock.now() / 1000);
const hmac = (text: string, secret: string) => createHmac("sha256", secret).update(text).digest("hex");
const header = (body: string, secret = NEWEST, time = now(), signedTime = time) =>
  `t=${time},v1=${hmac(`${signedTime}.${body}`, secret)}`;

async function post(body: string, signature: string | null, type = "application/json"): Promise<number> {
  const response = await fetch(`${server.url}/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": type, ...(signature === null ? {} : { "stripe-signature": signature }) },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
const effects = async () => ({
  events: await rowsOf(server.db, "billing_events", {}),
  row: await server.row(user),
});

/** Posts an event with a given body and signature, so that both can be forged. */
const forged = (sign: (body: string) => string | null, change = (body: string) => body) => {
  const body = event();
  return post(change(body), sign(body));
};
const FORGERIES: Record<string, () => Promise<number>> = {
  "no signature": () => forged(() => null),
  "an empty signature": () => forged(() => ""),
  "a signature that is no signature": () => forged(() => "let me in"),
  "a time without a signature": () => forged(() => `t=${now()}`),
  "a signature without a time": () => forged((body) => header(body).replace(/^t=\d+,/, "")),
  "another scheme": () => forged((body) => header(body).replace("v1=", "v0=")),
  "a guessed secret": () => forged((body) => header(body, "whsec_guessed")),
  "an empty secret": () => forged((body) => header(body, "")),
  "an altered body": () => forged(header, (body) => body.replace('"sub_1"', '"sub_2"')),
  "a reformatted body": () => forged(header, (body) => JSON.stringify(JSON.parse(body), null, 1)),
  "an old event sent again": () => forged((body) => header(body, NEWEST, now() - 302)),
  "an old event with a new time": () => forged((body) => header(body, NEWEST, now(), now() - 302)),
};

test.each(Object.entries(FORGERIES))("refuses an event with %s, however often it comes", async (_name, forge) => {
  const answers = await Promise.all(Array.from({ length: 10 }, forge));
  expect(answers.filter((status) => status !== 400)).toEqual([]);
  expect(await effects()).toEqual({ events: [], row: undefined });
});

test("accepts an event signed with either secret up to five minutes late", async () => {
  for (const [secret, age, type] of [
    [NEWEST, 0, "application/json"],
    [OLDER, 0, "application/json; charset=utf-8"],
    [NEWEST, 298, "text/plain"],
  ] as const) {
    const body = event();
    expect(await post(body, header(body, secret, now() - age), type)).toBe(200);
  }
  const { events, row } = await effects();
  expect(events.every(({ processed_at: done }) => done !== null)).toBe(true);
  expect(events).toHaveLength(3);
  expect(row).toMatchObject({ status: "active" });
});

test("applies the same event once when it arrives 101 times at once", async () => {
  const fetches = async () => Number((await rowOf(server.db, "billing_customers", {})).applied_fetch);
  const before = await fetches();
  await server.setSubscription(user, { cancel_at_period_end: true });
  const body = event("evt_repeated");
  const signature = header(body);
  const first = await post(body, signature);
  const again = await Promise.all(Array.from({ length: 100 }, () => post(body, signature)));
  expect([first, ...again].filter((status) => status !== 200)).toEqual([]);
  // Changing the subscription may fetch once to find the customer; the events fetch exactly once.
  expect((await fetches()) - before).toBe(1);
  expect(await server.row(user)).toMatchObject({ status: "active", cancel_at_period_end: true });
  const changes = await rowsOf(server.db, "audit_log", { user_id: user.id, action: "plan_changed" }, ["detail"]);
  expect(changes).toHaveLength(2);
});

test("accepts and ignores events of unknown customers or types", async () => {
  const strange = JSON.parse(event("evt_strange")) as { data: { object: { customer: string } }; type: string };
  strange.data.object.customer = "cus_unknown";
  const body = JSON.stringify(strange);
  expect(await post(body, header(body))).toBe(200);
  const ignored = JSON.stringify({ ...strange, id: "evt_dull", type: "charge.succeeded" });
  expect(await post(ignored, header(ignored))).toBe(200);
  const { events } = await effects();
  expect(events.map(({ id }) => id).filter((id) => ["evt_strange", "evt_dull"].includes(id))).toEqual(["evt_strange"]);
});

test("asks for a retry when an effect could not be stored", async () => {
  const body = event("evt_lost");
  const original = server.billing.stripe.subscriptions.list.bind(server.billing.stripe.subscriptions);
  server.billing.stripe.subscriptions.list = () => {
    throw new TypeError("the reading failed");
  };
  expect(await post(body, header(body))).toBe(500);
  server.billing.stripe.subscriptions.list = original;
  await server.setSubscription(user, { cancel_at_period_end: false });
  expect(await post(body, header(body))).toBe(200);
  expect(await server.row(user)).toMatchObject({ cancel_at_period_end: false });
});
