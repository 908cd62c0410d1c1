import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signUp, startAuthServer } from "../../support/auth-server.ts";

const server = await startAuthServer();
let token: string;
beforeAll(async () => {
  const user = await signUp(server);
  token = user.session.access_token;
  await server.deps.db.insertInto("subscriptions").values({ user_id: user.userId, status: "active" }).execute();
});
afterAll(() => server.stop());

const nasty = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    0,
    1e308,
    "",
    "\u0000",
    "\ud800",
    "' or 1=1 --",
    "💥",
    "x".repeat(5_000),
    [],
    {},
    [[]],
    { "": "" },
  ),
  fc.string({ unit: "binary" }),
  fc.jsonValue(),
  fc.integer(),
);
const SEED = 20_261_121;
const runs = { numRuns: 60, seed: SEED };

async function ask(method: string, path: string, body: unknown, authorization = `Bearer ${token}`) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text };
}

test.each([
  ["POST", "/auth/v1/signup", ["email", "password", "data", "code_challenge"]],
  ["POST", "/auth/v1/token?grant_type=password", ["email", "password"]],
  ["POST", "/auth/v1/token?grant_type=refresh_token", ["refresh_token"]],
  ["POST", "/auth/v1/recover", ["email"]],
  ["POST", "/auth/v1/resend", ["type", "email"]],
  ["POST", "/auth/v1/verify", ["type", "token_hash"]],
  ["PUT", "/auth/v1/user", ["data", "password", "current_password", "email"]],
  ["POST", "/rest/v1/users", ["id", "email", "name", "created_at", "x"]],
  ["PATCH", "/rest/v1/users?select=*", ["id", "email", "name"]],
])("%s %s never fails on our side, whatever its body holds", async (method, path, fields) => {
  const bodies = fc.oneof(
    fc.dictionary(fc.constantFrom(...fields), nasty),
    nasty,
    fc.record(Object.fromEntries(fields.map((field) => [field, nasty]))),
  );
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const { status, text } = await ask(method, path, body);
      expect([status < 500, text]).toEqual([true, text]);
    }),
    runs,
  );
});

test("/rest/v1 never fails on our side, whatever its address holds", async () => {
  const part = fc.oneof(
    fc.constantFrom(
      "eq.",
      "eq.\u0000",
      "gte.",
      "gte.\u0000",
      "gte.infinity",
      "gte.2026-11-24",
      "gte.999999-01-01",
      "created_at",
      "*",
      "id,id",
      "created_at.desc",
      "1",
    ),
    fc.string(),
  );
  const query = fc.dictionary(
    fc.constantFrom("select", "order", "limit", "id", "owner_id", "created_at", "columns", "__proto__"),
    part,
  );
  const table = fc.constantFrom(
    "users",
    "leads",
    "stages",
    "subscriptions",
    "telegram_sessions",
    "__proto__",
    "constructor",
    "pg_catalog.pg_class",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("GET", "HEAD", "PATCH", "DELETE"),
      table,
      query,
      async (method, name, parameters) => {
        const path = `/rest/v1/${name}?${new URLSearchParams(parameters).toString()}`;
        const { status, text } = await ask(method, path, method === "PATCH" ? { name: "x" } : undefined);
        expect([status < 500, path, text]).toEqual([true, path, text]);
      },
    ),
    { numRuns: 300, seed: SEED },
  );
});
