import Fastify from "fastify";
import { expect, test } from "vitest";
import { createWork } from "../../../server/core/work.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { createRouter } from "../../../server/core/routes.ts";
import { unauthorized } from "../../../server/core/problem.ts";

const route = createRouter(
  Fastify(),
  { authenticate: () => Promise.reject(unauthorized()), hasSubscription: async () => false },
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
