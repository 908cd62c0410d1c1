import { afterAll, expect, test } from "vitest";
import { openReceiver } from "../../support/receiver.ts";
import { sharedServer } from "../../support/server.ts";

const server = await sharedServer({ WEBHOOK_ALLOW_PRIVATE: "1" });
const user = await server.subscriber();
const receiver = await openReceiver();
afterAll(() => receiver.close());

const list = (path: string) => server.must<object[]>("GET", `/api${path}`, { token: user.token });
const post = <T extends object = { id: string }>(path: string, body: unknown, key: string) =>
  user.call<T & { code?: string }>("POST", path, body, { "idempotency-key": key });

const REMINDER = { type: "stuck", stage: "Initial Contact", delay_days: 2, channel_id: "me", template: "{name} waits" };
await list("/stages");

test.each<[string, string, object, object]>([
  ["a reminder", "reminders", REMINDER, { delay_days: 3 }],
  ["a stage", "stages", { name: "Interested", keywords: ["price"], color: "#336699" }, { name: "Keen" }],
  ["a follow-up", "followups", { message: "Hello", delay_hours: "24", followup_order: "0" }, { message: "Good day" }],
])("creates %s once per key, and repeats the first response", async (_what, key, body, other) => {
  const path = `/${key}`;
  const before = (await list(path)).length;
  const [first, second] = await Promise.all([post(path, body, key), post(path, body, key)]);
  expect([200, 201]).toContain(first.status);
  const answer = { status: first.status, body: first.body };
  expect([second, await post(path, body, key)]).toMatchObject([answer, answer]);
  expect(await list(path)).toHaveLength(before + 1);
  expect(await post(path, { ...body, ...other }, key)).toMatchObject({ status: 422, body: { code: "key_reused" } });
});

test("returns a new secret on a repeated key creation, and revokes the first", async () => {
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

test("returns a new secret on a repeated webhook creation, and sends one test", async () => {
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
});

test("checks a refused reminder's channel again under the same key", async () => {
  await server.connect(user);
  const refused = { status: 422, body: { code: "channel_refused" } };
  const ask = () => post("/reminders", { ...REMINDER, channel_id: "@nowhere" }, "channel-1");
  expect([await ask(), await ask()]).toMatchObject([refused, refused]);
});
