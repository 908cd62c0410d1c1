import http from "node:http";
import { expect, it } from "vitest";
import { SCOPES } from "../../../domain/api-key.ts";
import { sharedServer } from "../../support/server.ts";
import { makeKey, openAssistant } from "./support.ts";

const server = await sharedServer();
const seller = await server.subscriber();
const { secret } = await makeKey(server, seller, [...SCOPES]);

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const ACCEPT = { accept: "application/json, text/event-stream" };
const post = (token: string | undefined, body: unknown = PING, headers: Record<string, string> = {}) =>
  server.call<{ code: string; message: string }>("POST", "/mcp", { token, body, headers: { ...ACCEPT, ...headers } });
const refusal = async (answer: ReturnType<typeof post>) => {
  const { status, body } = await answer;
  return [status, body.code];
};

/** fetch sets the Host header itself. */
const withHost = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const headers = { ...ACCEPT, host, authorization: `Bearer ${secret}`, "content-type": "application/json" };
    http
      .request(`${server.url}/mcp`, { method: "POST", headers }, (answer) => resolve(answer.resume().statusCode))
      .on("error", reject)
      .end(JSON.stringify(PING));
  });

it("accepts only a valid key, neither a session nor an unknown key", async () => {
  expect((await post(secret)).status).toEqual(200);
  expect(await refusal(post(seller.token))).toEqual([401, "key_needed"]);
  expect(await refusal(post(undefined))).toEqual([401, "unauthorized"]);
  expect(await refusal(post(`llk_${"x".repeat(43)}`))).toEqual([401, "unauthorized"]);
});

it("ends a session when its key is revoked", async () => {
  const key = await makeKey(server, seller, ["read"]);
  const assistant = await openAssistant(server, key.secret);
  expect((await assistant.call("list_leads")).isError).toEqual(false);
  await server.call("DELETE", `/api/keys/${key.id}`, { token: seller.token });
  await expect(assistant.call("list_leads")).rejects.toThrow(/unauthorized/i);
  await assistant.close();
});

it("refuses foreign origins and hosts before it checks a key", async () => {
  for (const origin of ["https://evil.example.com", "http://127.0.0.1.evil.example.com", "null"])
    expect([origin, await refusal(post(undefined, PING, { origin }))]).toEqual([origin, [403, "wrong_address"]]);
  expect((await post(secret, PING, { origin: server.url })).status).toEqual(200);
  const { port } = new URL(server.url);
  const hosts = [
    "evil.example.com",
    ...["127.0.0.1.nip.io", "localhost", "[::1]", "192.168.1.5"].map((host) => `${host}:${port}`),
  ];
  expect(await Promise.all(hosts.map(withHost))).toEqual([403, 403, 200, 200, 200]);
});

it("limits method, size and rate of requests, with security headers", async () => {
  const key = { authorization: `Bearer ${secret}`, ...ACCEPT };
  for (const method of ["GET", "DELETE"]) {
    const answer = await server.call(method, "/mcp", { headers: key });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  }
  expect(await refusal(post(secret, { ...PING, params: { filler: "x".repeat(70_000) } }))).toEqual([413, "too_large"]);
  const many = Array.from({ length: 21 }, (_, id) => ({ ...PING, id }));
  expect(await refusal(post(secret, many))).toEqual([413, "too_large"]);
  const json = { ...ACCEPT, "content-type": "application/json" };
  const empty = await server.call<{ code: string }>("POST", "/mcp", { token: secret, headers: json });
  expect([empty.status, empty.body.code]).toEqual([400, "bad_request"]);
  const { headers } = await post(secret);
  const guards = ["cache-control", "x-content-type-options", "access-control-allow-origin"];
  expect(guards.map((name) => headers.get(name))).toEqual(["no-store", "nosniff", null]);
  expect([headers.get("ratelimit-policy"), headers.get("ratelimit")].join(" ")).toMatch(/q=\d+.* .*r=\d+/);
});
