import { afterAll, beforeAll, expect, test } from "vitest";
import { openReceiver, type Receiver } from "../../support/receiver.ts";
import { type TestUser } from "../../support/server.ts";
import { sharedServer } from "../../support/servers.ts";

const server = await sharedServer({ WEBHOOK_ALLOW_PRIVATE: "1" });
let receiver: Receiver;
let user: TestUser;
let initial: { id: string; name: string };

beforeAll(async () => {
  receiver = await openReceiver();
  user = await server.subscriber();
  [initial = { id: "", name: "" }] = await list<{ id: string; name: string }>("/stages");
});
afterAll(() => receiver.close());

const list = async <T>(path: string): Promise<T[]> =>
  (await server.call<T[]>("GET", `/api${path}`, { token: user.token })).body;
const post = <T extends object = { id: string }>(path: string, body: unknown, key: string) =>
  server.call<T & { code?: string }>("POST", `/api${path}`, {
    token: user.token,
    body,
    headers: { "idempotency-key": key },
  });

/** Each call that creates something: where, with what, and another body. */
const creates = {
  "a reminder": () => {
    const body = { type: "stuck", stage: initial.name, delay_days: 2, channel_id: "me", template: "{name} waits" };
    return { path: "/reminders", body: () => body, other: () => ({ ...body, delay_days: 3 }) };
  },
  "a stage": () => {
    const body = { name: "Interested", keywords: ["price"], color: "#336699" };
    return { path: "/stages", body: () => body, other: () => ({ ...body, name: "Keen" }) };
  },
  "a follow-up": () => {
    const fields = { stage_id: initial.id, message: "Hello", delay_hours: "24", followup_order: "0" };
    return { path: "/followups", body: () => fields, other: () => ({ ...fields, message: "Good day" }) };
  },
};

test.for(Object.entries(creates))("a repeated key creates %s once and gets the first answer", async ([, of]) => {
  const { path, body, other } = of();
  const before = (await list(path)).length;
  const [first, second] = await Promise.all([post(path, body(), "once"), post(path, body(), "once")]);
  expect([200, 201]).toContain(first?.status);
  expect(second).toMatchObject({ status: first?.status, body: first?.body });
  expect(await post(path, body(), "once")).toMatchObject({ status: first?.status, body: first?.body });
  expect(await list(path)).toHaveLength(before + 1);
  expect(await post(path, other(), "once")).toMatchObject({ status: 422, body: { code: "key_reused" } });
  // A key stands for one call: the next path has its own.
  await server.deps.db.deleteFrom("request_keys").where("key", "=", "once").execute();
});

test("a repeated key gets a new secret for the API key that it made, and the first secret ends", async () => {
  const body = { name: "Sheet", scopes: ["read"] };
  type Made = { id: string; secret: string; hint: string };
  const first = await post<Made>("/keys", body, "key-1");
  const works = async ({ secret }: Made) => (await server.call("GET", "/api/leads?limit=1", { token: secret })).status;
  expect(await works(first.body)).toBe(200);
  const second = await post<Made>("/keys", body, "key-1");
  expect(second.status).toBe(201);
  expect(second.body).toMatchObject({ id: first.body.id, hint: second.body.secret.slice(-4) });
  expect([await works(first.body), await works(second.body)]).toEqual([401, 200]);
  expect(await list("/keys")).toHaveLength(1);
  expect(await post("/keys", { ...body, scopes: ["send"] }, "key-1")).toMatchObject({ status: 422 });
});

test("a repeated key gets a new secret for the webhook that it added, and sends a test once", async () => {
  const body = { url: receiver.urlOf("/once"), events: ["lead.created"] };
  type Made = { id: string; secret: string };
  const first = await post<Made>("/webhooks", body, "hook-1");
  const second = await post<Made>("/webhooks", body, "hook-1");
  expect(second).toMatchObject({ status: 201, body: { id: first.body.id } });
  expect(second.body.secret).not.toBe(first.body.secret);
  expect(await list("/webhooks")).toHaveLength(1);

  const tested = await post(`/webhooks/${first.body.id}/test`, {}, "test-1");
  expect(await post(`/webhooks/${first.body.id}/test`, {}, "test-1")).toMatchObject({ body: { id: tested.body.id } });
  const replay = `/webhooks/${first.body.id}/deliveries/${tested.body.id}/replay`;
  const replayed = await post(replay, {}, "replay-1");
  expect(await post(replay, {}, "replay-1")).toMatchObject({ status: 202, body: { id: replayed.body.id } });
  await server.idle();
  expect(receiver.at("/once")).toHaveLength(2);
  const { items } = (
    await server.call<{ items: object[] }>("GET", `/api/webhooks/${first.body.id}/deliveries`, { token: user.token })
  ).body;
  expect(items).toHaveLength(2);
});

test("a reminder refused for its channel is checked again under the same key", async () => {
  const { phone } = await server.connect(user);
  expect(phone).toMatch(/^\+/);
  const body = { type: "stuck", stage: initial.name, delay_days: 2, channel_id: "@nowhere", template: "{name} waits" };
  const refused = await post("/reminders", body, "channel-1");
  expect(refused).toMatchObject({ status: 422, body: { code: "channel_refused" } });
  const again = await post("/reminders", body, "channel-1");
  expect(again).toMatchObject({ status: 422, body: { code: "channel_refused" } });
});
