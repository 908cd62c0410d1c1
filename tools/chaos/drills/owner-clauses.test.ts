import { afterAll, beforeAll, expect, test } from "vitest";
import type { PoolClient } from "../../../server/db/index.ts";
import { fillAccount } from "../../../tests/support/full-account.ts";
import { endpointsOf, idsOf, findLeaks, readLists, type Endpoint, type Ids } from "../../../tests/support/isolation.ts";
import { startTestServer, type TestServer, type TestUser } from "../../../tests/support/server.ts";

/**
 * Proves that the isolation checks can fail: removes the owner clauses from the statements on their way to the database, and expects a leak
 * in every call that names an id.
 */
let server: TestServer;
let endpoints: Endpoint[];
let ann: TestUser & { own: Ids };
/** The statements that lose their owner clause: none, all, or the one with this text. */
let strip: "none" | "all" | { text: string } = "none";
const stripped = new Set<string>();

const OWNER_CLAUSE = /(?:"?\w+"?\.)?"?\b(?:owner_id|user_id)"? = (\$\d+)(?:::uuid)?/g;
/** Row comparisons by all columns of an index, the owner first. */
const OWNER_IN_ROW = /\(o\.owner_id, ([^()]*)\) ([<>]) \((\$\d+)::uuid/g;
const withoutOwner = (text: string): string => {
  if (strip === "none" || /^\s*insert/i.test(text)) return text;
  if (strip !== "all" && strip.text !== text) return text;
  const changed = text
    .replaceAll(OWNER_CLAUSE, "$1::text is not null")
    .replaceAll(OWNER_IN_ROW, "($3::uuid, $1) $2 ($3::uuid");
  if (changed !== text) stripped.add(text);
  return changed;
};

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: "silent" } });
  const { pool } = server.deps.engine;
  const connect = pool.connect.bind(pool);
  const connectStripped = async (): Promise<PoolClient> => {
    const client = await connect();
    return {
      query: (text, params) => client.query(withoutOwner(text), params),
      release: (error) => client.release(error),
    };
  };
  // The driver's own queries connect with a callback.
  const choose = (...callback: unknown[]) =>
    callback.length === 0 ? connectStripped() : Reflect.apply(connect, pool, callback);
  pool.connect = choose as typeof pool.connect;
  endpoints = await endpointsOf(server);
  ann = await filled("Ann's");
});
afterAll(() => server.stop());

async function filled(mark: string) {
  const user = await server.subscriber();
  await fillAccount(server.deps, user.userId, mark, { isConnected: false, hasSubscription: true });
  return { ...user, own: await idsOf(server.deps, user.userId) };
}

const ids = () => endpoints.filter(({ path, isPublic }) => path.includes("{") && !isPublic);
const leaksWith = async (how: typeof strip, endpoint: Endpoint): Promise<string[]> => {
  const bob = await filled("Bob's");
  strip = how;
  const leaks = await findLeaks(server, endpoint, ann, bob.own);
  strip = "none";
  return leaks;
};

/** Calls with two statements that check the owner; either one alone prevents a leak. */
const GUARDED_TWICE = [
  "GET /api/leads/{id}",
  "POST /api/leads/{id}/automation",
  "POST /api/leads/{id}/exclude",
  "PATCH /api/reminders/{id}",
];
/** Lists that are empty for every user of this test. */
const EMPTY = [
  "/api/bulk/current",
  "/api/followups/overdue",
  "/api/telegram/account",
  "/api/telegram/qr",
  "/api/telegram/status",
];

// Runs before many accounts exist: without owner clauses, joins combine the rows of all owners.
test("lists and figures change without their owner clauses", async () => {
  await server.deps.db
    .updateTable("user_settings")
    .set({ auto_followup_start_hour: 5, read_receipts: true, weekdays: [1] })
    .execute();
  const { token } = await filled("Di's");
  const before = await readLists(server, endpoints, token);
  strip = "all";
  const after = await readLists(server, endpoints, token);
  strip = "none";
  const same = [...before].filter(([path, answer]) => after.get(path) === answer).map(([path]) => path);
  expect(same.toSorted()).toEqual(EMPTY);
});

test("detects a removed owner clause in every call that names an id", { timeout: 900_000 }, async () => {
  const blind: string[] = [];
  const masked: string[] = [];
  for (const endpoint of ids()) {
    expect(await leaksWith("none", endpoint)).toEqual([]);
    stripped.clear();
    const name = `${endpoint.method} ${endpoint.path}`;
    if ((await leaksWith("all", endpoint)).length === 0) blind.push(name);
    let caught = 0;
    for (const text of Array.from(stripped)) caught += Number((await leaksWith({ text }, endpoint)).length > 0);
    if (caught === 0) masked.push(name);
  }
  expect([blind, masked]).toEqual([[], GUARDED_TWICE]);
});
