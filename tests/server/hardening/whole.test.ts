import { expect, test } from "vitest";
import { securityHeaders } from "../../../server/core/headers.ts";
import { endpointsOf } from "../../support/isolation.ts";
import { ownServer } from "../../support/server.ts";

const server = await ownServer();

const guards = () => Object.keys(securityHeaders(server.deps.config)).filter((name) => name !== "cache-control");
const missingFrom = (headers: Headers) => guards().filter((name) => !headers.has(name));

test("sends security headers and no CORS headers on every kind of call", async () => {
  const calls = (await endpointsOf(server)).map(({ method, path }) => [method, path.replace(/\{\w+\}/, "1")] as const);
  const others = [
    "/healthz",
    "/readyz",
    "/api/openapi.json",
    "/api/docs",
    "/auth/v1/health",
    "/auth/v1/nowhere",
    "/rest/v1/leads",
    "/rest/v1/a/b",
    "/sandbox",
    "/sandbox/clock",
    "/nowhere",
    "/api/%zz",
    "/webhooks/stripe",
  ];
  const wrong: unknown[] = [];
  for (const [method, path] of [...calls, ...others.map((path) => ["GET", path] as const)]) {
    const { headers, status } = await server.call(method, path, { headers: { origin: "https://evil.example" } });
    const missing = missingFrom(headers);
    const isLeaking = [...headers.keys()].some((name) => name.startsWith("access-control-allow") || name === "server");
    const isCacheable = path.startsWith("/api/") && !headers.get("cache-control")?.includes("no-store");
    if (missing.length > 0 || isLeaking || isCacheable)
      wrong.push({ method, path, status, missing, isLeaking, isCacheable });
  }
  expect(wrong).toEqual([]);
  expect(calls.length).toBeGreaterThan(40);
});

test("responds in JSON to an unknown API address or method", async () => {
  const answer = async (method: string, path: string) => {
    const { status, body, headers } = await server.call<{ code?: string; error_code?: string }>(method, path);
    return [status, body.code ?? body.error_code, headers.get("allow")];
  };
  expect(await answer("GET", "/api/nowhere")).toEqual([404, "not_found", null]);
  expect(await answer("PUT", "/api/leads")).toEqual([405, "method_not_allowed", "GET, HEAD"]);
  expect(await answer("DELETE", "/api/leads/1")).toEqual([405, "method_not_allowed", "GET, HEAD, PATCH"]);
  expect((await answer("HEAD", "/auth/v1/verify"))[0]).toBe(405);
});
