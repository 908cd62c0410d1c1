import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBillingServer, type BillingServer, type User } from "./support.ts";

const NEWEST = "whsec_newest";
const OLDER = "whsec_older";
let server: BillingServer;
let user: User;
let customer: string;

beforeAll(async () => {
  server = await startBillingServer();
  // Two secrets while one replaces the other.
  server.deps.config.billing.webhookSecrets.splice(0, Infinity, NEWEST, OLDER);
  server.provider.levers.weather.held = true;
  user = await server.addUser();
  const made = await server.lever(user, { status: "active" });
  customer = String(made.body["customer"]);
});
afterAll(() => server.stop());

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
  events: await server.db.selectFrom("billing_events").selectAll().execute(),
  row: await server.row(user),
});

/** Ways to pretend to be the provider. */
const FORGERIES: Record<string, () => Promise<number>> = {
  "no signature": () => post(event(), null),
  "an empty signature": () => post(event(), ""),
  "a signature that is no signature": () => post(event(), "let me in"),
  "a time without a signature": () => post(event(), `t=${now()}`),
  "a signature without a time": () => post(event(), header(event()).replace(/^t=\d+,/, "")),
  "another scheme": () => {
    const body = event();
    return post(body, header(body).replace("v1=", "v0="));
  },
  "a guessed secret": () => {
    const body = event();
    return post(body, header(body, "whsec_guessed"));
  },
  "an empty secret": () => {
    const body = event();
    return post(body, header(body, ""));
  },
  "an altered body": () => {
    const body = event();
    return post(body.replace('"sub_1"', '"sub_2"'), header(body));
  },
  "a body spelt anew": () => {
    const body = event();
    return post(JSON.stringify(JSON.parse(body), null, 1), header(body));
  },
  "an old event sent again": () => {
    const body = event();
    return post(body, header(body, NEWEST, now() - 302));
  },
  "an old event with a new time": () => {
    const body = event();
    return post(body, header(body, NEWEST, now(), now() - 302));
  },
};

describe("what the card provider tells", () => {
  test("none of 1,200 forged events is believed, and nothing changes", async () => {
    expect(Object.keys(FORGERIES)).toHaveLength(12);
    for (const [name, forge] of Object.entries(FORGERIES)) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => forge()));
      expect(
        answers.filter((status) => status !== 400),
        name,
      ).toEqual([]);
    }
    expect(await effects()).toEqual({ events: [], row: undefined });
  });

  test("an event signed with the newest or the older secret is believed, up to five minutes late, whatever its type says", async () => {
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

  test("the same event 1,000 times at once has one effect", async () => {
    const before = await server.db.selectFrom("billing_customers").select("applied_fetch").executeTakeFirstOrThrow();
    await server.lever(user, { cancel_at_period_end: true });
    const body = event("evt_repeated");
    const signature = header(body);
    const first = await post(body, signature);
    const again = await Promise.all(Array.from({ length: 1_000 }, () => post(body, signature)));
    // On a machine at its limit the provider's reading may run out of time; it then hears 503 and delivers again.
    expect([first, ...again].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await expect.poll(() => post(body, signature)).toBe(200);
    const after = await server.db.selectFrom("billing_customers").select("applied_fetch").executeTakeFirstOrThrow();
    // One reading by the lever's call for the customer's id, if any, and exactly one by the thousand and one events.
    expect(Number(after.applied_fetch) - Number(before.applied_fetch)).toBe(1);
    expect(await server.row(user)).toMatchObject({ status: "active", cancel_at_period_end: true });
    const changes = await server.db
      .selectFrom("audit_log")
      .select("detail")
      .where("user_id", "=", user.id)
      .where("action", "=", "plan_changed")
      .execute();
    expect(changes).toHaveLength(2);
  });

  test("an event of somebody we do not know, or of no interest, is taken and left alone", async () => {
    const strange = JSON.parse(event("evt_strange")) as { data: { object: { customer: string } }; type: string };
    strange.data.object.customer = "cus_unknown";
    const body = JSON.stringify(strange);
    expect(await post(body, header(body))).toBe(200);
    const dull = JSON.stringify({ ...strange, id: "evt_dull", type: "charge.succeeded" });
    expect(await post(dull, header(dull))).toBe(200);
    const kept = await server.db
      .selectFrom("billing_events")
      .select("id")
      .where("id", "in", ["evt_strange", "evt_dull"])
      .execute();
    expect(kept).toEqual([{ id: "evt_strange" }]);
  });

  test("an event is asked for again when its effect could not be stored, and then has it", async () => {
    const body = event("evt_lost");
    const original = server.billing.stripe.subscriptions.list.bind(server.billing.stripe.subscriptions);
    server.billing.stripe.subscriptions.list = () => {
      throw new TypeError("the reading failed");
    };
    expect(await post(body, header(body))).toBe(500);
    server.billing.stripe.subscriptions.list = original;
    await server.lever(user, { cancel_at_period_end: false });
    expect(await post(body, header(body))).toBe(200);
    expect(await server.row(user)).toMatchObject({ cancel_at_period_end: false });
  });

  test("the body is read raw for the webhook alone", async () => {
    const answer = await server.call(user, "POST", "/api/billing/confirm", { session_id: "" });
    expect(answer).toMatchObject({ status: 422, body: { fields: { session_id: "session_id is missing." } } });
  });
});
