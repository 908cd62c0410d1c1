import { afterEach, describe, expect, it, vi } from "vitest";
import { createHttp } from "../../src/services/http.ts";
import { createKeysGateway } from "../../src/services/keys.ts";
import { createWebhooksGateway } from "../../src/services/webhooks.ts";
import { made, sheet } from "../machines/api-key.model.ts";
import { deliveryOf } from "../machines/webhook-deliveries.model.ts";
import { SECRET, hook } from "../machines/webhooks.model.ts";

const http = createHttp({ baseURL: "/api", getSession: () => ({ accessToken: "token" }), refresh: async () => null });
const keys = createKeysGateway(http);
const webhooks = createWebhooksGateway(http);
const { signal } = new AbortController();

/** Answers every call alike and keeps what was called. */
function serve(body: unknown, status = 200): unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (input: Request | string, init: RequestInit = {}) => {
    const address = typeof input === "string" ? input : input.url;
    sent.push([init.method ?? "GET", address, typeof init.body === "string" ? JSON.parse(init.body) : null]);
    return status === 204
      ? new Response(null, { status })
      : new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  });
  return sent;
}
afterEach(() => vi.unstubAllGlobals());

const page = { items: [deliveryOf(1)], next: null };
const form = { url: hook.url, events: ["lead.created"] };
const calls: [make: () => Promise<unknown>, sent: unknown, answer: unknown, result: unknown][] = [
  [() => keys.list(signal), ["GET", "/api/keys", null], [sheet], [sheet]],
  [
    () => keys.create({ name: "n8n", scopes: ["read"] }),
    ["POST", "/api/keys", { name: "n8n", scopes: ["read"] }],
    made,
    made,
  ],
  [() => webhooks.list(signal), ["GET", "/api/webhooks", null], [hook], [hook]],
  [() => webhooks.add(form), ["POST", "/api/webhooks", form], { ...hook, secret: SECRET }, { ...hook, secret: SECRET }],
  [() => webhooks.change({ id: "a/b", enabled: true }), ["PATCH", "/api/webhooks/a%2Fb", { enabled: true }], {}, {}],
  [
    () => webhooks.listDeliveries({ id: "w1", before: null, limit: 50 }, signal),
    ["GET", "/api/webhooks/w1/deliveries?limit=50", null],
    page,
    page,
  ],
  [
    () => webhooks.replay({ id: "w1", delivery: "d1" }),
    ["POST", "/api/webhooks/w1/deliveries/d1/replay", null],
    deliveryOf(2),
    deliveryOf(2),
  ],
  [() => webhooks.test({ id: "w1" }), ["POST", "/api/webhooks/w1/test", null], deliveryOf(3), deliveryOf(3)],
];

describe("the calls of keys and webhooks", () => {
  it("carry what they ask for and decode what is answered", async () => {
    for (const [make, call, answer, result] of calls) {
      const sent = serve(answer);
      // oxlint-disable-next-line no-await-in-loop -- one server at a time
      expect([await make(), sent]).toEqual([result, [call]]);
    }
  });

  it("take what is gone already for revoked, deleted and empty, and any other refusal for one", async () => {
    const gone = { message: "Not found.", code: "not_found" };
    const sent = serve(gone, 404);
    await keys.revoke({ id: "k1" });
    await webhooks.remove({ id: "w1" });
    expect(await webhooks.listDeliveries({ id: "w1", before: "d1", limit: 50 }, signal)).toEqual(null);
    expect(sent).toEqual([
      ["DELETE", "/api/keys/k1", null],
      ["DELETE", "/api/webhooks/w1", null],
      ["GET", "/api/webhooks/w1/deliveries?before=d1&limit=50", null],
    ]);
    serve(gone, 503);
    const refused = { status: 503 };
    await expect(keys.revoke({ id: "k1" })).rejects.toMatchObject(refused);
    await expect(webhooks.remove({ id: "w1" })).rejects.toMatchObject(refused);
    await expect(webhooks.listDeliveries({ id: "w1", before: null, limit: 50 }, signal)).rejects.toMatchObject(refused);
  });
});
