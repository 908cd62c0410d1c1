import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../server/core/config.ts";
import { startGuardedApp } from "../../support/guarded-app.ts";

const server = await startGuardedApp();
afterAll(() => server.stop());

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

test("HTTPS is promised for two years where the public address has it", async () => {
  const secure = await startGuardedApp({ env: { PUBLIC_URL: "https://leads.example.com" } });
  const response = await fetch(`${secure.url}/api/things`);
  expect(response.headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
  await secure.stop();
});

test("pictures of a QR image service that the installation names may be loaded, and of no one else", async () => {
  const named = await startGuardedApp({
    env: { VITE_QR_IMAGE_SERVICE: "https://qr.example.com:8443/create?size=220x220&data={url}" },
  });
  const response = await fetch(`${named.url}/api/things`);
  const plain = REQUIRED["content-security-policy"];
  expect(response.headers.get("content-security-policy")).toBe(
    plain.replace("img-src 'self' data: blob:", "img-src 'self' data: blob: https://qr.example.com:8443"),
  );
  await named.stop();
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
