import { expect, test } from "vitest";
import type { ApiKey, NewApiKey, Scope } from "../../../domain/api-key.ts";
import { openLimiter, rateLimitError } from "../../../server/core/limits.ts";
import { createKeyAuthenticator } from "../../../server/keys/authenticate.ts";
import { fillAccount } from "../../support/full-account.ts";
import { idsOf } from "../../support/isolation.ts";
import { ownServer, type TestUser } from "../../support/server.ts";
import { removeRows, rowOf, rowsOf } from "../../support/rows.ts";
import Fastify from "fastify";
import { createWork } from "../../../server/core/work.ts";
import { systemClock } from "../../../server/core/clock.ts";
import { createRouter } from "../../../server/core/routes.ts";
import { unauthorized } from "../../../server/core/problem.ts";

const QUOTA = 30;
const server = await ownServer({ KEY_CALLS_PER_MINUTE: String(QUOTA) });
const ann = await server.subscriber();

const ask = (token: string | undefined, method: string, path: string, body?: unknown) =>
  server.call<Record<string, unknown>>(method, path, { token, body });

const makeKey = async (owner: TestUser, ...scopes: Scope[]): Promise<NewApiKey> => {
  const body = { name: "Sheet", scopes };
  const answer = await server.call<NewApiKey>("POST", "/api/keys", { token: owner.token, body });
  expect(answer.status).toBe(201);
  return answer.body;
};

const listKeys = async (owner: TestUser): Promise<ApiKey[]> =>
  (await server.call<ApiKey[]>("GET", "/api/keys", { token: owner.token })).body;

const wrongKey = () => `llk_${crypto.randomUUID().replaceAll("-", "")}`;

test("shows a key's secret once, and stores it in no list, table, export or log", async () => {
  const owner = await server.subscriber();
  const body = { name: "  My sheet ", scopes: ["send", "read", "read"] };
  const { status, body: made } = await server.call<NewApiKey>("POST", "/api/keys", { token: owner.token, body });
  const { secret, ...key } = made;
  expect([status, key]).toEqual([
    201,
    {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: "My sheet",
      scopes: ["read", "send"],
      hint: secret.slice(-4),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
    },
  ]);
  expect(secret).toMatch(/^llk_[\w-]{43}$/);
  expect(await listKeys(owner)).toEqual([key]);
  const stored = await rowOf(server.deps.db, "api_keys", { id: key.id });
  expect(stored.hash).toMatch(/^[\w-]{43}$/);
  const { body: exported } = await ask(owner.token, "GET", "/api/account/export");
  expect(exported["api_keys"]).toEqual([expect.objectContaining({ id: key.id, name: "My sheet", hint: key.hint })]);
  const acts = await rowsOf(server.deps.db, "audit_log", { user_id: owner.userId });
  expect(acts).toContainEqual(expect.objectContaining({ action: "key_created" }));
  for (const text of [JSON.stringify(stored), JSON.stringify(exported), JSON.stringify(acts)])
    expect(text).not.toContain(secret.slice(4));
  expect(JSON.stringify(exported)).not.toContain(stored.hash);
  expect((await ask(owner.token, "GET", "/rest/v1/api_keys?select=*")).status).toBe(404);
});

test("refuses an invalid key by field, and the twenty-first", async () => {
  const owner = await server.subscriber();
  const refused: [object, object][] = [
    [{ name: " ", scopes: ["read"] }, { name: "Give the key a name." }],
    [{ name: "a".repeat(101), scopes: ["read"] }, { name: "A name may have 100 characters at most." }],
    [{ name: "a", scopes: [] }, { scopes: "Choose at least one of read, write, send." }],
    [{ name: "a", scopes: ["admin"] }, { "scopes.0": "Must be read, write or send." }],
  ];
  for (const [body, fields] of refused)
    expect(await ask(owner.token, "POST", "/api/keys", body)).toMatchObject({ status: 422, body: { fields } });
  const made = await Promise.all(
    Array.from({ length: 21 }, () => ask(owner.token, "POST", "/api/keys", { name: "a", scopes: ["read"] })),
  );
  const statuses = made.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([...Array(20).fill(201), 409]);
  expect(await listKeys(owner)).toHaveLength(20);
});

test("refuses a key for the sign-in and the page's rows", async () => {
  const { secret } = await makeKey(ann, "read", "write", "send");
  const session = await fetch(`${server.url}/auth/v1/user`, { headers: { authorization: `Bearer ${secret}` } });
  expect([session.status, (await ask(secret, "GET", "/rest/v1/users?select=*")).status]).toEqual([403, 401]);
});

test("allows holds but no resume with only the write scope", async () => {
  const owner = await server.subscriber();
  await fillAccount(server.deps, owner.userId, "Hal's", { isConnected: false, hasSubscription: true });
  const { lead } = await idsOf(server.deps, owner.userId);
  const [write, both] = [await makeKey(owner, "write"), await makeKey(owner, "write", "send")];
  const [soon, late] = [1, 2].map((days) => new Date(server.deps.clock.now() + days * 86_400_000).toISOString());
  const hold = (token: string, until: string | undefined) =>
    ask(token, "POST", `/api/leads/${lead}/automation`, { action: "hold", until: until ?? null });
  const batch = async (token: string, until: string | undefined) => {
    const action = { type: "hold", until: until ?? null };
    return (await ask(token, "POST", "/api/leads/batch", { where: { ids: [lead] }, action })).body;
  };
  const undo = (token: string, id: unknown) => ask(token, "POST", `/api/leads/batch/${String(id)}/undo`);
  await ask(owner.token, "POST", `/api/leads/${lead}/automation`, { action: "resume" });
  expect((await hold(write.secret, soon)).status).toBe(200);
  expect((await hold(write.secret, late)).status).toBe(200);
  expect(await hold(write.secret, soon)).toMatchObject({ status: 403, body: { code: "missing_scope" } });
  expect(await batch(write.secret, soon)).toMatchObject({ changed: 0 });
  const { undo_id: id } = await batch(write.secret, undefined);
  expect((await hold(write.secret, late)).status).toBe(403);
  expect(await undo(write.secret, id)).toMatchObject({ status: 403, body: { code: "missing_scope" } });
  expect(await undo(both.secret, id)).toMatchObject({ status: 200, body: { changed: 1 } });
  expect((await hold(both.secret, soon)).status).toBe(200);
});

test("applies a revocation in every process, also after missed notifications", async () => {
  const gaps: (() => void)[] = [];
  const bus = { ...server.deps.bus, onGap: (listener: () => void) => (gaps.push(listener), () => {}) };
  const limit = { capacity: 100, refillSeconds: 1, refusal: rateLimitError("guesses") };
  const guesses = openLimiter(server.deps, "guesses", limit);
  const other = createKeyAuthenticator({ ...server.deps, bus }, guesses);
  const [notified, missed] = [await makeKey(ann, "read"), await makeKey(ann, "read")];
  // Waits for the notifications of the new keys, which would keep both keys out of the cache.
  await server.idle();
  const isLet = ({ secret }: NewApiKey) =>
    other.authenticateKey(`Bearer ${secret}`).then(
      ({ id, key }) => [id, key?.name],
      ({ status }: { status: number }) => status,
    );
  const isKnown = [ann.userId, "Sheet"];
  expect([await isLet(notified), await isLet(missed)]).toEqual([isKnown, isKnown]);
  await ask(ann.token, "DELETE", `/api/keys/${notified.id}`);
  await server.idle();
  expect(await isLet(notified)).toBe(401);
  await removeRows(server.deps.db, "api_keys", { id: missed.id });
  expect(await isLet(missed)).toEqual(isKnown);
  gaps.forEach((listener) => listener());
  expect(await isLet(missed)).toBe(401);
});

test("reports a key's remaining calls, and limits each key separately", async () => {
  const [busy, other] = [await makeKey(ann, "read"), await makeKey(ann, "read")];
  const limitsOf = async ({ secret }: NewApiKey, path = "/api/stages") => {
    const { status, headers } = await ask(secret, "GET", path);
    const [, left] = /^"default";r=(\d+);t=\d+$/.exec(headers.get("ratelimit") ?? "") ?? [];
    return { status, left: Number(left), policy: headers.get("ratelimit-policy"), wait: headers.get("retry-after") };
  };
  const policy = `"default";q=${QUOTA};w=60`;
  expect(await limitsOf(busy)).toEqual({ status: 200, left: QUOTA - 1, policy, wait: null });
  expect(await limitsOf(busy, "/api/keys")).toMatchObject({ status: 403, policy });
  expect(await limitsOf(busy, "/api/nowhere")).toMatchObject({ status: 404, policy });
  expect(await limitsOf(busy, "/api/stages/preview")).toMatchObject({ status: 405, policy });
  // One call is refilled every two seconds, possibly between two of these calls.
  const refused = async (path: string) => {
    let answer = await limitsOf(busy, path);
    for (let calls = 0; answer.status === 200 && calls < 2 * QUOTA; calls += 1) answer = await limitsOf(busy, path);
    return answer;
  };
  expect(await refused("/api/stages")).toEqual({ status: 429, left: 0, policy, wait: expect.stringMatching(/^[12]$/) });
  expect((await refused("/%61pi/stages")).status).toBe(429);
  expect(await limitsOf(other)).toMatchObject({ status: 200, left: QUOTA - 1 });
  expect((await ask(ann.token, "GET", "/api/stages")).headers.has("ratelimit")).toBe(false);
});

test("limits guessed keys like passwords, but not retries of one wrong key", async () => {
  const { secret } = await makeKey(ann, "read");
  const forgotten = wrongKey();
  for (let calls = 0; calls < 25; calls += 1) expect((await ask(forgotten, "GET", "/api/stages")).status).toBe(401);
  const statuses = new Set<number>();
  for (let calls = 0; calls < 25; calls += 1) statuses.add((await ask(wrongKey(), "GET", "/api/stages")).status);
  expect([...statuses]).toEqual([401, 429]);
  expect((await ask(wrongKey(), "GET", "/api/stages")).headers.get("retry-after")).toMatch(/^\d+$/);
  expect((await ask(secret, "GET", "/api/stages")).status).toBe(200);
  expect((await ask(forgotten, "GET", "/api/stages")).status).toBe(401);
  await server.advance(600);
});

const route = createRouter(
  Fastify(),
  { authenticate: () => Promise.reject(unauthorized()), hasSubscription: async () => false },
  { clock: systemClock, work: createWork() },
);

const add = (url: string, access: object) =>
  route({ method: "GET", url, summary: "", tag: "Test", handler: async () => ({}), ...access } as never);

test("refuses to start when a route has no scope", () => {
  for (const gate of ["signedIn", "public"])
    expect(() => add("/api/new", { gate })).toThrow("GET /api/new does not say which scope a key needs");
  expect(() => add("/api/new", { gate: "signedIn", scope: "read" })).not.toThrow();
});

test("requires gate and scope of a route to agree on public access", () => {
  expect(() => add("/api/half", { gate: "public", scope: "read" })).toThrow("by its gate or by its scope");
  expect(() => add("/api/half", { gate: "subscribed", scope: "public" })).toThrow("by its gate or by its scope");
  expect(() => add("/api/open", { gate: "public", scope: "public" })).not.toThrow();
});
