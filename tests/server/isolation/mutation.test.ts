import { afterAll, beforeAll, expect, test } from "vitest";
import type { PoolClient } from "../../../server/db/index.ts";
import { fillAccount } from "../../support/full-account.ts";
import { endpointsOf, idsOf, leaksOf, type Endpoint, type Ids } from "../../support/isolation.ts";
import { startTestServer, type TestServer, type TestUser } from "../../support/server.ts";

/**
 * The isolation checks must be able to fail: here the owner's clauses are taken out of the statements on their way to the
 * database, and each call that names an id has to be caught.
 */
let server: TestServer;
let endpoints: Endpoint[];
let ann: TestUser & { own: Ids };
let strip = false;
const stripped = new Set<string>();

const OWNER_CLAUSE = /(?:"?\w+"?\.)?"?\bowner_id"? = (\$\d+)(?:::uuid)?/g;
const withoutOwner = (text: string): string => {
  if (!strip || /^\s*insert/i.test(text)) return text;
  const changed = text.replaceAll(OWNER_CLAUSE, "$1::text is not null");
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
  // The driver's own one-off queries connect with a callback.
  const choose = (...callback: unknown[]) =>
    callback.length === 0 ? connectStripped() : Reflect.apply(connect, pool, callback);
  pool.connect = choose as typeof pool.connect;
  endpoints = (await endpointsOf(server)).filter(({ path, isPublic }) => path.includes("{") && !isPublic);
  ann = await filled("Ann's");
});
afterAll(() => server.stop());

async function filled(mark: string) {
  const user = await server.subscriber();
  await fillAccount(server.deps, user.userId, mark, { isConnected: false, hasSubscription: true });
  return { ...user, own: await idsOf(server.deps, user.userId) };
}

test("with its owner clauses a call leaks nothing; without them every call that names an id is caught", async () => {
  const blind: string[] = [];
  for (const endpoint of endpoints) {
    const bob = await filled("Bob's");
    expect(await leaksOf(server, endpoint, ann, bob.own)).toEqual([]);
    strip = true;
    const leaks = await leaksOf(server, endpoint, ann, bob.own);
    strip = false;
    if (leaks.length === 0) blind.push(`${endpoint.method} ${endpoint.path}`);
  }
  expect(blind).toEqual([]);
  expect(stripped.size).toBeGreaterThanOrEqual(endpoints.length - 1);
});
