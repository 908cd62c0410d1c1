import { once } from "node:events";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { nextTurn } from "../../../server/core/clock.ts";
import { readConfig } from "../../../server/core/config.ts";
import { serverLimits } from "../../../server/core/hardening.ts";
import { answerTo, startGuardedApp } from "../../support/guarded-app.ts";

const server = await startGuardedApp();
afterAll(() => server.stop());

const MIB = 1_048_576;
const ofBytes = (size: number) => `{"value":"${"x".repeat(size - '{"value":""}'.length)}"}`;
const nested = (depth: number) => `{"value":${"[".repeat(depth)}${"]".repeat(depth)}}`;

const GUARDS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

test.each([
  ["of 1 MiB", ofBytes(MIB), 200],
  ["of a byte more", ofBytes(MIB + 1), 413],
  ["of nothing where a type is named", "", 200],
  ["that breaks off", "{", 400],
  ["of 31 nested lists", nested(31), 200],
  ["of 32 nested lists", nested(32), 400],
  ["of 100,000 nested lists", nested(100_000), 400],
  ["with a thousand brackets in a text", JSON.stringify({ value: `${"[".repeat(1000)}\\"[[[` }), 200],
  ["with the key __proto__", '{"__proto__":{"admin":true}}', 400],
  ["with the key constructor", '{"constructor":{"prototype":{"admin":true}}}', 400],
])("applies the limits to a JSON body %s", async (_what, body, status) => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/things`, { method: "POST", body, headers });
  const code = { 200: undefined, 400: "bad_request", 413: "too_large" }[status];
  expect([answer.status, ((await answer.json()) as { code?: string }).code]).toEqual([status, code]);
});

test.each([
  ["a header of 20 KB", `GET /api/things HTTP/1.1\r\nhost: x\r\nx-big: ${"x".repeat(20_000)}`, 431, "too_large"],
  ["what is no HTTP", "nonsense", 400, "bad_request"],
  ["an address that cannot be decoded", "GET /api/%zz HTTP/1.1\r\nhost: x\r\nconnection: close", 400, "bad_request"],
])("refuses %s", async (_what, head, status, code) => {
  const [headers = "", body = ""] = (await answerTo(server.port, `${head}\r\n\r\n`)).split("\r\n\r\n");
  expect(headers).toMatch(`HTTP/1.1 ${status} `);
  expect(JSON.parse(body)).toMatchObject({ code, message: expect.any(String) });
  for (const [name, value] of Object.entries(GUARDS)) expect(headers).toContain(`${name}: ${value}`);
});

test("returns 503 for a slow call and 408 for a slow body, except for a QR login", async () => {
  const quick = await startGuardedApp({ handlerMs: 1 });
  let wait = "goes on";
  for (const url of ["/api/telegram/qr-start", "/api/telegram/qr-complete"])
    void quick.app.inject({ method: "POST", url }).then(() => (wait = "is over"));
  const headers = { "content-type": "application/json" };
  for (const init of [{}, { headers, body: "{}" }]) {
    const stuck = await fetch(`${quick.url}/api/stuck`, { method: "POST", ...init });
    expect([stuck.status, await stuck.json(), wait]).toMatchObject([503, { code: "overloaded" }, "goes on"]);
    expect(stuck.headers.get("retry-after")).toBe("5");
  }
  const head =
    "POST /api/things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{";
  expect(await answerTo(quick.port, head)).toMatch("HTTP/1.1 408 Request Timeout");
  await quick.stop();
});

test("does not cut off a response that began in time", async () => {
  const slow = await startGuardedApp();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  slow.download.write("first, ");
  const answer = answerTo(slow.port, "GET /api/download HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  const [, response] = (await once(slow.app.server, "request")) as [unknown, { headersSent: boolean }];
  while (!response.headersSent) await nextTurn();
  vi.advanceTimersByTime(600_000);
  vi.useRealTimers();
  slow.download.end("last");
  expect(await answer).toMatch(/^HTTP\/1.1 200 OK[^]*first, [^]*last/);
  await slow.stop();
});

test("ends a stream that was opened after its call got 503", async () => {
  const quick = await startGuardedApp({ handlerMs: 1 });
  expect((await fetch(`${quick.url}/api/late`)).status).toBe(503);
  if (!quick.late.destroyed) await once(quick.late, "close");
  await quick.stop();
});

test.each([
  [909_999, "200 OK"],
  [910_000, "408 Request Timeout"],
])("answers an upload whose body ends after %i ms with %s", async (ms, status) => {
  const slow = await startGuardedApp();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const rest = Promise.withResolvers<string>();
  const head =
    "POST /api/upload HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{";
  const answer = answerTo(slow.port, head, rest.promise);
  await once(slow.app.server, "request");
  await nextTurn();
  vi.advanceTimersByTime(ms);
  vi.useRealTimers();
  rest.resolve("}");
  expect(await answer).toMatch(`HTTP/1.1 ${status}`);
  await slow.stop();
});

test("uses the documented limits", () => {
  expect(serverLimits({ trustedProxies: [], publicUrl: "http://localhost:3000", qrImageOrigin: null })).toEqual({
    frameworkErrors: expect.any(Function),
    clientErrorHandler: expect.any(Function),
    bodyLimit: MIB,
    connectionTimeout: 140_000,
    requestTimeout: 910_000,
    trustProxy: false,
    http: { maxHeaderSize: 16_384, headersTimeout: 15_000 },
  });
  const { maxHeadersCount, maxConnections, headersTimeout } = server.app.server;
  expect([maxHeadersCount, maxConnections, headersTimeout]).toEqual([100, 10_000, 15_000]);
});

test("sends the security headers", async () => {
  const { headers } = await fetch(`${server.url}/api/things`);
  expect(Object.fromEntries(headers)).toMatchObject(GUARDS);
  expect(headers.has("strict-transport-security")).toBe(false);
});

test("sends HSTS for two years and allows the QR image service if configured", async () => {
  const env = {
    PUBLIC_URL: "https://leads.example.com",
    VITE_QR_IMAGE_SERVICE: "https://qr.example.com:8443/create?size=220x220&data={url}",
  };
  const app = await startGuardedApp({ env });
  const { headers } = await fetch(`${app.url}/api/things`);
  expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
  expect(headers.get("content-security-policy")).toBe(
    GUARDS["content-security-policy"].replace("blob:;", "blob: https://qr.example.com:8443;"),
  );
  await app.stop();
});

test.each([
  ["no proxy", {}, "127.0.0.1"],
  ["another proxy", { TRUSTED_PROXIES: "10.0.0.0/8" }, "127.0.0.1"],
  ["this proxy", { TRUSTED_PROXIES: "127.0.0.1" }, "203.0.113.9"],
])("reads the client address from X-Forwarded-For when %s is trusted", async (_which, env, ip) => {
  const app = await startGuardedApp({ env });
  const answer = await fetch(`${app.url}/api/things`, { headers: { "x-forwarded-for": "1.2.3.4, 203.0.113.9" } });
  expect(await answer.json()).toEqual({ ip });
  await app.stop();
});

test("refuses to start with an invalid TRUSTED_PROXIES, one line per error", () => {
  expect(() => readConfig({ TRUSTED_PROXIES: "10.0.0.0/8, everyone, 1.2.3.4/64" })).toThrow(
    'TRUSTED_PROXIES must list IP addresses or ranges, not "everyone".\nTRUSTED_PROXIES must list IP addresses or ranges, not "1.2.3.4/64".',
  );
});
