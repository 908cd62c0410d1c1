import { afterAll, expect, test } from "vitest";
import { serverLimits } from "../../../server/core/hardening.ts";
import { startGuardedApp, statusOf } from "../../support/guarded-app.ts";
import { readConfig } from "../../../server/core/config.ts";

const server = await startGuardedApp();
afterAll(() => server.stop());

const post = async (body: string, path = "/api/things") => {
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  return [response.status, ((await response.json()) as { code?: string }).code];
};

const nested = (depth: number) => `{"value":${"[".repeat(depth)}${"]".repeat(depth)}}`;

test("a JSON body may be 1 MiB and not a byte more", async () => {
  const filler = 1_048_576 - '{"value":""}'.length;
  expect(await post(`{"value":"${"x".repeat(filler)}"}`)).toEqual([200, undefined]);
  expect(await post(`{"value":"${"x".repeat(filler + 1)}"}`)).toEqual([413, "too_large"]);
});

test("no body where a type is named is no body; a broken one says so", async () => {
  expect(await post("")).toEqual([200, undefined]);
  expect(await post("{")).toEqual([400, "bad_request"]);
});

test("nesting deeper than anyone writes by hand is refused", async () => {
  expect(await post(nested(31))).toEqual([200, undefined]);
  expect(await post(nested(32))).toEqual([400, "bad_request"]);
  expect(await post(nested(100_000))).toEqual([400, "bad_request"]);
  expect(await post(JSON.stringify({ value: `${"[".repeat(1000)}\\"[[[` }))).toEqual([200, undefined]);
});

test("keys that reach for the prototype are refused", async () => {
  expect(await post('{"__proto__":{"admin":true}}')).toEqual([400, "bad_request"]);
  expect(await post('{"constructor":{"prototype":{"admin":true}}}')).toEqual([400, "bad_request"]);
  expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
});

test("a header of eight megabytes is turned away while it is read", async () => {
  const status = await statusOf(
    server.port,
    `GET /api/things HTTP/1.1\r\nhost: x\r\nx-big: ${"x".repeat(20_000)}\r\n\r\n`,
  );
  expect(status).toBe("HTTP/1.1 431 Request Header Fields Too Large");
});

test("what is no HTTP is answered 400", async () => {
  expect(await statusOf(server.port, "nonsense\r\n\r\n")).toBe("HTTP/1.1 400 Bad Request");
  expect((await fetch(`${server.url}/api/%zz`)).status).toBe(400);
});

test("a call that never ends is answered 503 in time, and the QR wait may take longer", async () => {
  const quick = await startGuardedApp({ limits: { handlerTimeout: 200 } });
  const stuck = await fetch(`${quick.url}/api/stuck`, { method: "POST" });
  expect([stuck.status, ((await stuck.json()) as { code: string }).code]).toEqual([503, "overloaded"]);
  const controller = new AbortController();
  const waiting = fetch(`${quick.url}/api/telegram/qr-complete`, { method: "POST", signal: controller.signal }).then(
    ({ status }) => status,
    () => "still waiting",
  );
  setTimeout(() => controller.abort(), 800);
  expect(await waiting).toBe("still waiting");
  await quick.stop();
});

test("a body that trickles in until the time is up is answered 408", async () => {
  const quick = await startGuardedApp({ limits: { handlerTimeout: 300 } });
  const head =
    "POST /api/things HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{";
  expect(await statusOf(quick.port, head)).toBe("HTTP/1.1 408 Request Timeout");
  await quick.stop();
});

test("the limits are the ones the product promises", () => {
  expect(serverLimits({ trustedProxies: [], publicUrl: "http://localhost:3000", qrImageOrigin: null })).toEqual({
    frameworkErrors: expect.any(Function),
    bodyLimit: 1_048_576,
    handlerTimeout: 30_000,
    requestTimeout: 120_000,
    trustProxy: false,
    http: { maxHeaderSize: 16_384, headersTimeout: 15_000 },
  });
  expect([
    server.app.server.maxHeadersCount,
    server.app.server.maxConnections,
    server.app.server.headersTimeout,
  ]).toEqual([100, 10_000, 15_000]);
});

const REQUIRED = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'; require-trusted-types-for 'script'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

test("every answer carries the same guards, whatever it answers", async () => {
  const calls: [string, RequestInit, number][] = [
    ["/api/things", {}, 200],
    ["/api/nowhere", {}, 404],
    ["/api/things", { method: "DELETE" }, 405],
    ["/api/closed", { method: "DELETE" }, 401],
    ["/api/things", { method: "POST", body: "{", headers: { "content-type": "application/json" } }, 400],
    ["/api/things/1", { method: "PATCH" }, 500],
  ];
  for (const [path, init, status] of calls) {
    const response = await fetch(`${server.url}${path}`, init);
    const headers = Object.fromEntries(response.headers);
    expect([path, response.status, headers]).toEqual([path, status, expect.objectContaining(REQUIRED)]);
    expect(
      Object.keys(headers).filter(
        (name) => name.startsWith("access-control") || name === "server" || name === "x-powered-by",
      ),
    ).toEqual([]);
    expect(headers["strict-transport-security"]).toBeUndefined();
  }
});

test.each([
  [
    "HTTPS for two years where the public address has it",
    { PUBLIC_URL: "https://leads.example.com" },
    { "strict-transport-security": "max-age=63072000; includeSubDomains" },
  ],
  [
    "the QR image service that the installation names",
    { VITE_QR_IMAGE_SERVICE: "https://qr.example.com:8443/create?size=220x220&data={url}" },
    {
      "content-security-policy": REQUIRED["content-security-policy"].replace(
        "blob:;",
        "blob: https://qr.example.com:8443;",
      ),
    },
  ],
])("the headers allow %s", async (_what, env, expected) => {
  const app = await startGuardedApp({ env });
  const { headers } = await fetch(`${app.url}/api/things`);
  expect(Object.fromEntries(headers)).toMatchObject(expected);
  await app.stop();
});

test("who asks is taken from the connection, and from X-Forwarded-For only behind a proxy that was named", async () => {
  const ipSeenBy = async (env: Record<string, string>) => {
    const app = await startGuardedApp({ env });
    const response = await fetch(`${app.url}/api/things`, { headers: { "x-forwarded-for": "1.2.3.4, 203.0.113.9" } });
    await app.stop();
    return ((await response.json()) as { ip: string }).ip;
  };
  expect(await ipSeenBy({})).toBe("127.0.0.1");
  expect(await ipSeenBy({ TRUSTED_PROXIES: "10.0.0.0/8" })).toBe("127.0.0.1");
  expect(await ipSeenBy({ TRUSTED_PROXIES: "127.0.0.1" })).toBe("203.0.113.9");
});

test("a wrong TRUSTED_PROXIES stops the start with a line for each", () => {
  const start = () =>
    readConfig({ LEADLOOM_DATA: "/tmp/leadloom-guarded", TRUSTED_PROXIES: "10.0.0.0/8, everyone, 1.2.3.4/64" });
  expect(start).toThrow(
    'TRUSTED_PROXIES must list IP addresses or ranges, not "everyone".\nTRUSTED_PROXIES must list IP addresses or ranges, not "1.2.3.4/64".',
  );
});
