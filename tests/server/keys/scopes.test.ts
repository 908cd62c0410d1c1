import Fastify from "fastify";
import { expect, test } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { createRouter, requireScope, type RouteScope } from "../../../server/core/routes.ts";
import { unauthorized } from "../../../server/core/problem.ts";

const route = createRouter(
  Fastify(),
  {
    authenticate: () => Promise.reject(unauthorized()),
    hasSubscription: async () => false,
  },
  { clock: systemClock, work: createWork() },
);
const add = (url: string, access: object) =>
  route({ method: "GET", url, summary: "", tag: "Test", handler: async () => ({}), ...access } as never);

test("a route that does not say which scope a key needs does not start the server", () => {
  expect(() => add("/api/new", { gate: "signedIn" })).toThrow("GET /api/new does not say which scope a key needs");
  expect(() => add("/api/open", { gate: "public" })).toThrow("GET /api/open does not say which scope a key needs");
  expect(() => add("/api/new", { gate: "signedIn", scope: "read" })).not.toThrow();
});

test("a route is open to anybody by its gate and its scope, or by neither", () => {
  expect(() => add("/api/half", { gate: "public", scope: "read" })).toThrow("by its gate or by its scope");
  expect(() => add("/api/half", { gate: "subscribed", scope: "public" })).toThrow("by its gate or by its scope");
  expect(() => add("/api/open", { gate: "public", scope: "public" })).not.toThrow();
});

test("a person may call everything, a key what its scopes say, one of several being enough where several are named", () => {
  const key = { key: { id: "k", name: "Sheet", scopes: ["read", "send"] } } as const;
  const codeOf = (who: Parameters<typeof requireScope>[0], scope: RouteScope) => {
    try {
      requireScope(who, scope);
      return "may";
    } catch (error) {
      const { status, code, message } = error as { status: number; code: string; message: string };
      return `${status} ${code} ${message}`;
    }
  };
  const asked: RouteScope[] = ["read", "write", "send", ["write", "send"], "person", "public"];
  expect(asked.map((scope) => codeOf({ key: null }, scope))).toEqual(asked.map(() => "may"));
  expect(asked.map((scope) => codeOf(key, scope))).toEqual([
    "may",
    "403 missing_scope This key may not do that: it needs the scope write. Call with a key that has it; keys are made in Settings.",
    "may",
    "may",
    "403 key_not_accepted A key cannot do that. Sign in in the browser, and do it there yourself.",
    "may",
  ]);
});
