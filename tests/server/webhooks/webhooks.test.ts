import { afterAll, expect, test } from "vitest";
import { WEBHOOK_EVENTS, WEBHOOK_WAITS, type DeliveryPage, type Webhook } from "../../../domain/webhook.ts";
import { tidyWebhooks } from "../../../server/webhooks/tidy.ts";
import { openReceiver, verify, type Received } from "../../support/receiver.ts";
import { RESET } from "../../support/leads.ts";
import { ownServer } from "../../support/server.ts";

const server = await ownServer({ WEBHOOK_ALLOW_PRIVATE: "1" });
const receiver = await openReceiver();
afterAll(() => receiver.close());
const user = await server.subscriber();
let { phone } = await server.connect(user);

type Made = Webhook & { secret: string };
/** @param refusal the expected status when the request must be refused */
const api = async <T>(method: string, path: string, body?: unknown, refusal?: number): Promise<T> => {
  const { status, body: answer } = await server.call<T>(method, `/api${path}`, { token: user.token, body });
  const isExpected = refusal === undefined ? status < 300 : status === refusal;
  expect([method, path, status, isExpected ? null : answer]).toEqual([method, path, refusal ?? status, null]);
  return answer;
};
const advance = async (seconds: number) => {
  await server.advance(seconds);
  await server.renew(user);
};
const make = (path: string, events: readonly string[] = WEBHOOK_EVENTS) =>
  api<Made>("POST", "/webhooks", { url: receiver.urlOf(path), events });
const remove = ({ id }: Webhook) => api("DELETE", `/webhooks/${id}`);
const deliveries = async ({ id }: Webhook, query = "") =>
  await api<DeliveryPage>("GET", `/webhooks/${id}/deliveries${query}`);
/** Resolves with the requests of a receiver once there are enough. */
const until = (path: string, count: number) =>
  server.passUntil(
    () => receiver.at(path),
    (got) => got.length >= count,
  );
const read = ({ id }: Webhook) => api<Webhook[]>("GET", "/webhooks").then((list) => list.find((one) => one.id === id));
const factOf = ({ body }: Received) => [body.type, body.data];
type LeadList = { leads: { id: string; stage_id: string; name: string }[] };
const leadNamed = async (name: string) => {
  const { leads } = await api<LeadList>("GET", "/leads?limit=100&offset=0");
  return leads.find((lead) => lead.name === name) ?? { id: "", stage_id: "" };
};

test("delivers all events signed and in order", async () => {
  const hook = await make("/all");
  expect(hook).toEqual({
    id: hook.id,
    url: receiver.urlOf("/all"),
    events: WEBHOOK_EVENTS,
    enabled: true,
    disabled_reason: null,
    created_at: hook.created_at,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  await server.receive(phone, { first_name: "Ann" }, "Hello there");
  const ann = await leadNamed("Ann");
  const interested = { name: "Interested", keywords: ["price"], order: 2, color: "#336699" };
  const stage = await api<{ id: string }>("POST", "/stages", interested);
  const { user_id } = await server.receive(phone, { first_name: "Ben" }, "Hi");
  const ben = await leadNamed("Ben");
  const first = ann.stage_id;
  await server.receive(phone, { first_name: "Ben", user_id }, "What is the price?");
  await server.receive(phone, { first_name: "Ben", user_id }, "stop");
  await api("PATCH", `/leads/${ann.id}`, { stage_id: stage.id, ...RESET });
  await api("POST", `/leads/${ann.id}/stage/undo`, {});
  const reply = await api<{ id: string }>("POST", `/leads/${ann.id}/messages`, { text: "Good morning" });
  await until("/all", 11);
  const step = { stage_id: first, message: "Still there?", followup_order: "0", delay_hours: "24" };
  const followup = await api<{ id: string }>("POST", "/followups", step);
  await api("POST", `/followups/send/${ann.id}`, {});
  const bulk = { stage_id: first, message: "News", throttle: "0.1" };
  const { job_id: job } = await api<{ job_id: string }>("POST", "/bulk", bulk);
  await until("/all", 14);
  await api("POST", "/telegram/disconnect", {});
  const all = await until("/all", 15);
  ({ phone } = await server.connect(user));

  const inbound = (lead_id: string, stage_id: string, text: string) => [
    "message.received",
    { lead_id, stage_id, message_id: expect.stringMatching(/^\d+$/), kind: "text", text },
  ];
  const of = (lead: { id: string }) => all.filter(({ body }) => body.data["lead_id"] === lead.id).map(factOf);
  expect(of(ann)).toEqual([
    ["lead.created", { lead_id: ann.id, stage_id: first }],
    inbound(ann.id, first, "Hello there"),
    ["lead.stage_changed", { lead_id: ann.id, stage_id: stage.id, from_stage_id: first }],
    ["lead.stage_changed", { lead_id: ann.id, stage_id: first, from_stage_id: stage.id }],
    ["message.sent", { lead_id: ann.id, stage_id: first, message_id: reply.id, kind: "text", text: "Good morning" }],
    [
      "followup.sent",
      expect.objectContaining({ lead_id: ann.id, stage_id: first, step_id: followup.id, text: "Still there?" }),
    ],
    ["message.sent", expect.objectContaining({ lead_id: ann.id, stage_id: first, job_id: job, text: "News" })],
  ]);
  expect(of(ben)).toEqual([
    ["lead.created", { lead_id: ben.id, stage_id: first }],
    inbound(ben.id, first, "Hi"),
    inbound(ben.id, first, "What is the price?"),
    ["lead.stage_changed", { lead_id: ben.id, stage_id: stage.id, from_stage_id: first }],
    inbound(ben.id, stage.id, "stop"),
    ["lead.opted_out", { lead_id: ben.id, stage_id: stage.id }],
  ]);
  expect(all.filter(({ body }) => body.data["lead_id"] === undefined).map(factOf)).toEqual([
    [
      "bulk.finished",
      { job_id: job, stage_id: first, status: "completed", sent_count: 1, failed_count: 0, total_targets: 1 },
    ],
    ["account.disconnected", { account_id: expect.any(String), state: "disconnected", reason: expect.any(String) }],
  ]);
  for (const one of all) {
    expect(verify(hook.secret, one)).toEqual(one.body);
    expect(Math.abs(Number(one.headers["webhook-timestamp"]) * 1000 - one.at)).toBeLessThan(60_000);
    expect(Number.isFinite(Date.parse(one.body.timestamp))).toBe(true);
  }
  const page = await deliveries(hook);
  expect(new Set(page.items.map((item) => item.state))).toEqual(new Set(["delivered"]));
  expect(page.items.map(({ body }) => body).toSorted()).toEqual(all.map(({ text }) => text).toSorted());
  const firstPage = await deliveries(hook, "?limit=10");
  const secondPage = await deliveries(hook, `?limit=10&before=${firstPage.next}`);
  expect([...firstPage.items, ...secondPage.items]).toEqual(page.items);
  expect(secondPage.next).toBeNull();
  await remove(hook);
});

test("sends a test and a replay at once with the event's webhook-id and body", async () => {
  const hook = await make("/test", ["lead.opted_out"]);
  const tested = await api<DeliveryPage["items"][0]>("POST", `/webhooks/${hook.id}/test`);
  expect(tested).toMatchObject({ event: "webhook.test", state: "pending", attempts: 0, status: null, replay_of: null });
  await until("/test", 1);
  const replayed = await api<DeliveryPage["items"][0]>("POST", `/webhooks/${hook.id}/deliveries/${tested.id}/replay`);
  expect(replayed).toMatchObject({ event_id: tested.event_id, body: tested.body, replay_of: tested.id });
  const [one, two] = await until("/test", 2);
  expect([one?.headers["webhook-id"], two?.headers["webhook-id"]]).toEqual([tested.event_id, tested.event_id]);
  expect(one?.text).toBe(tested.body);
  expect(two?.text).toBe(tested.body);
  await api("PATCH", `/webhooks/${hook.id}`, { enabled: false });
  for (const path of ["/test", `/deliveries/${tested.id}/replay`])
    expect(await api("POST", `/webhooks/${hook.id}${path}`, undefined, 409)).toMatchObject({
      code: "webhook_disabled",
    });
  await remove(hook);
});

test("retries with back-off for 3 days, then disables the webhook with a reason", async () => {
  receiver.answer("/bad", 503);
  const hook = await make("/bad", ["message.received"]);
  const { user_id } = await server.receive(phone, { first_name: "Dan" }, "One");
  await server.receive(phone, { first_name: "Dan", user_id }, "Two");
  for (const [tries, wait] of WEBHOOK_WAITS.entries()) {
    await server.idle();
    const [, oldest] = (await deliveries(hook)).items;
    const failed = { attempts: tries + 1, state: "failed", status: 503, error: "The receiver answered 503." };
    expect(oldest).toMatchObject(failed);
    const due = Date.parse(oldest?.next_try_at ?? "") - server.deps.clock.now();
    expect(due).toBeLessThanOrEqual(wait * 1000);
    await advance(Math.max(1, Math.ceil(due / 1000)));
  }
  await server.idle();
  const disabled_reason = "Switched off: nothing could be delivered for three days. The receiver answered 503.";
  expect(await read(hook)).toMatchObject({ enabled: false, disabled_reason });
  const given = await deliveries(hook);
  expect(given.items.map(({ state }) => state)).toEqual(["given_up", "given_up"]);
  // The second message waited for the first and was never sent.
  expect(given.items.map(({ attempts }) => attempts)).toEqual([0, WEBHOOK_WAITS.length + 1]);
  expect(new Set(receiver.at("/bad").map(({ headers }) => headers["webhook-id"])).size).toBe(1);

  await server.receive(phone, { first_name: "Dan", user_id }, "Three");
  receiver.answer("/bad", 204);
  const enabled = { enabled: true, disabled_reason: null };
  expect(await api("PATCH", `/webhooks/${hook.id}`, { enabled: true })).toMatchObject(enabled);
  await server.receive(phone, { first_name: "Dan", user_id }, "Four");
  expect((await deliveries(hook)).items[0]).toMatchObject({ state: "delivered" });
  expect(receiver.at("/bad").at(-1)?.body.data["text"]).toBe("Four");
  expect((await deliveries(hook)).items).toHaveLength(3);

  await advance(31 * 86_400);
  await tidyWebhooks(server.deps);
  expect(await deliveries(hook)).toEqual({ items: [], next: null });
  await remove(hook);
  await tidyWebhooks(server.deps);
  const { rows } = await server.deps.engine.pool.query<{ n: number }>(
    "select count(*)::int as n from webhooks where deleted_at is not null",
  );
  expect(rows[0]?.n).toBe(0);
});

test("erases excluded leads and deleted messages from deliveries", async () => {
  const hook = await make("/erased", ["message.received"]);
  const { user_id, message_id } = await server.receive(phone, { first_name: "Eve" }, "A secret");
  const eve = await leadNamed("Eve");
  await until("/erased", 1);
  await server.sandbox(phone, `/messages/${message_id}`, undefined, "DELETE");
  await server.idle();
  expect(JSON.parse((await deliveries(hook)).items[0]?.body ?? "{}").data?.text).toBe("");
  await server.receive(phone, { first_name: "Eve", user_id }, "Another");
  await until("/erased", 2);
  await api("POST", `/leads/${eve.id}/exclude`, {});
  await advance(60);
  expect(await deliveries(hook)).toEqual({ items: [], next: null });
  await remove(hook);
});

test("refuses an eleventh webhook, invalid addresses and unknown events", async () => {
  const hooks = [];
  for (let number = 0; number < 10; number += 1) hooks.push(await make(`/many/${number}`, ["lead.created"]));
  expect(await api("POST", "/webhooks", { url: receiver.urlOf("/more"), events: ["lead.created"] }, 409)).toMatchObject(
    { code: "too_many_webhooks" },
  );
  const refused: [unknown, string][] = [
    [{ url: "ftp://example.com", events: ["lead.created"] }, "url"],
    [{ url: receiver.urlOf("/"), events: [] }, "events"],
    [{ url: receiver.urlOf("/"), events: ["lead.exploded"] }, "events.0"],
    [{ url: receiver.urlOf("/"), events: ["lead.created"], secret: "mine" }, "secret"],
  ];
  for (const [body, field] of refused) {
    const { fields } = await api<{ fields: Record<string, string> }>("POST", "/webhooks", body, 422);
    expect(Object.keys(fields)).toEqual([field]);
  }
  const { secret: _, ...stored } = hooks[0] as Made;
  const events = ["lead.created", "bulk.finished"];
  expect(await api("PATCH", `/webhooks/${stored.id}`, { events: events.toReversed() })).toEqual({ ...stored, events });
  expect(await read(stored)).toEqual({ ...stored, events });
  const { rows } = await server.deps.engine.pool.query<{ sealed: string }>(
    "select sealed::text as sealed from webhooks",
  );
  expect(rows.every(({ sealed }) => !Buffer.from(sealed.slice(2), "hex").includes("whsec_"))).toBe(true);
  for (const one of hooks) await remove(one);
  await api("DELETE", `/webhooks/${stored.id}`, undefined, 404);
});

test("holds deliveries without access, and drops those older than 7 days", async () => {
  const bill = async (status: "canceled" | "active", access: 200 | 402) => {
    await server.bill(user, { status });
    expect((await server.call("GET", "/api/webhooks", { token: user.token })).status).toBe(access);
  };
  const hook = await make("/away", ["message.received"]);
  await bill("canceled", 402);
  await server.receive(phone, { first_name: "Ann" }, "Too old");
  await server.advance(8 * 86_400);
  await server.receive(phone, { first_name: "Ann" }, "Recent");
  expect(receiver.at("/away")).toEqual([]);
  await advance(1);
  await bill("active", 200);
  const [got] = await until("/away", 1);
  expect(got?.body.data).toMatchObject({ text: "Recent" });
  await server.idle();
  const { items } = await deliveries(hook);
  expect(items).toMatchObject([
    { state: "delivered", attempts: 1 },
    { state: "given_up", attempts: 0, error: "Dropped after 7 days without an active subscription." },
  ]);
  expect(receiver.at("/away")).toHaveLength(1);
  await remove(hook);
});
