import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { archiveOf } from "../../../server/archive/write.ts";
import { LEFT_OUT, OWNED_TABLES } from "../../../server/owned-data/index.ts";
import { registerPrivacy } from "../../../server/privacy/index.ts";
import { createCredentials } from "../../../server/auth/index.ts";
import { createRouter } from "../../../server/core/routes.ts";
import { ownAuthServer, PASSWORD, signUp, type AuthServer } from "../../support/auth-server.ts";
import { requestsTo } from "../../support/requests.ts";
import { rowsOf, tracesOf } from "../../support/rows.ts";
import { fillAccount, logOutTelegram } from "../../support/full-account.ts";

const ended: string[] = [];
let providerIsAway = false;

const server: AuthServer = await ownAuthServer({
  extend: (app, deps) => {
    const access = {
      authenticate: ({ headers }: FastifyRequest) => server.authenticate(headers.authorization),
      hasSubscription: async () => false,
    };
    registerPrivacy(createRouter(app, access, deps), deps, {
      archiveOf,
      credentials: createCredentials(deps),
      async disconnectTelegram(userId) {
        await logOutTelegram(deps.db, userId);
        ended.push(`telegram ${userId}`);
      },
      cancelSubscription: async (userId) => {
        if (providerIsAway) throw new Error("the provider does not answer");
        ended.push(`subscription ${userId}`);
      },
    });
  },
});

type Person = Awaited<ReturnType<typeof signUp>>;
type Export = Record<string, Record<string, unknown>[]>;
const call = ({ session }: Person, method: string, path: string, body?: unknown) =>
  requestsTo(server.url).call<Export>(method, path, { token: session.access_token, body });

test("exports every column, or lists why not", async () => {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select relname::text as table, array_agg(attname::text order by attname) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    group by 1 order by 1`.execute(server.deps.db);
  const stored = rows.flatMap(({ table, columns }) =>
    table in LEFT_OUT ? [table] : columns.map((name) => `${table}.${name}`),
  );
  const listed = OWNED_TABLES.flatMap(({ table, owner, columns = [], jsonOnly = {}, leftOut = {} }) => {
    const others = [jsonOnly, leftOut].flatMap((reasons) => Object.values(reasons).flat());
    const names = [...columns.map(({ name, of = name }) => of), ...others];
    return (owner === null || names.includes(owner) ? names : [owner, ...names]).map((name) => `${table}.${name}`);
  });
  const known = [...listed, ...Object.keys(LEFT_OUT)];
  const missing = stored.filter((name) => !known.includes(name));
  const unknown = known.filter((name, place) => !stored.includes(name) || known.indexOf(name) !== place);
  expect(missing, "Name these in server/owned-data: in `columns`, `jsonOnly` or `leftOut`").toEqual([]);
  expect(unknown, "server/owned-data names these twice, or the database has none of them").toEqual([]);
});

test("exports all of the user's data, and nothing of another", async () => {
  const [ann, bob] = [await signUp(server), await signUp(server)];
  const annsRows = await fillAccount(server.deps, ann.userId, "Ann's");
  await fillAccount(server.deps, bob.userId, "Bob's");
  const { headers, body: data } = await call(ann, "GET", "/api/account/export");
  expect(headers.get("content-disposition")).toMatch(/^attachment; filename="leadloom-export-\d{4}-\d\d-\d\d\.json"$/);
  expect(Object.fromEntries(Object.keys(annsRows).map((table) => [table, data[table]?.length]))).toEqual(annsRows);
  expect(data["leads"]?.every(({ owner_id }) => owner_id === ann.userId)).toBe(true);
  expect(data["messages"]?.[0]).toMatchObject({ text: "Ann's message" });
  expect(Buffer.from(String(data["media"]?.[0]?.["content"]), "base64").toString()).toBe("Ann's picture");
  const secret = ["sealed key", "lease_owner", "random_id", "encrypted_password"];
  const text = JSON.stringify(data);
  expect(["Bob's", bob.userId, bob.email, ...secret].filter((foreign) => text.includes(foreign))).toEqual([]);
});

test("requires the password for deletion; a wrong one changes nothing", async () => {
  const dan = await signUp(server);
  const rows = await fillAccount(server.deps, dan.userId, "Dan's");
  const wrong = await call(dan, "DELETE", "/api/account", { password: "not his" });
  const message = "That is not your password.";
  const body = { code: "password_invalid", message, params: { reason: "own" }, fields: { password: message } };
  expect([wrong.status, wrong.body]).toEqual([422, body]);
  expect((await call(dan, "DELETE", "/api/account", {})).status).toBe(422);
  expect(ended.filter((line) => line.includes(dan.userId))).toEqual([]);
  expect(await rowsOf(server.deps.db, "leads", { owner_id: dan.userId })).toHaveLength(rows["leads"] ?? 0);
});

test("leaves only the audit log of a deleted account, and revokes its tokens", async () => {
  const [eve, fay] = [await signUp(server), await signUp(server)];
  await fillAccount(server.deps, eve.userId, "Eve's");
  const fays = await fillAccount(server.deps, fay.userId, "Fay's");
  const gone = await call(eve, "DELETE", "/api/account", { password: PASSWORD });
  expect([gone.status, gone.body]).toEqual([200, { success: true }]);
  const ends = [`subscription ${eve.userId}`, `telegram ${eve.userId}`];
  expect(ended.filter((line) => line.includes(eve.userId))).toEqual(ends);

  const marks = [eve.userId, eve.email, "Eve's"];
  expect(Object.keys(await tracesOf(server.deps.db, marks))).toEqual(["public.audit_log"]);
  expect(await rowsOf(server.deps.db, "audit_log", { user_id: eve.userId }, ["action", "detail"])).toEqual([
    { action: "sign_up", detail: {} },
    { action: "account_deleted", detail: {} },
  ]);

  expect((await call(eve, "GET", "/api/account/export")).status).toBe(401);
  const { error } = await server.client().auth.signInWithPassword({ email: eve.email, password: PASSWORD });
  expect(error?.code).toBe("invalid_credentials");
  expect((await signUp(server, eve.email)).email).toBe(eve.email);
  const { body: left } = await call(fay, "GET", "/api/account/export");
  expect(Object.fromEntries(Object.keys(fays).map((table) => [table, left[table]?.length]))).toEqual(fays);
});

test("erases nothing while the subscription cannot be ended", async () => {
  const gil = await signUp(server);
  providerIsAway = true;
  const refused = await call(gil, "DELETE", "/api/account", { password: PASSWORD });
  providerIsAway = false;
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "60"]);
  expect(refused.body).toMatchObject({ code: "subscription_not_ended" });
  expect((await gil.client.auth.getUser()).data.user?.id).toBe(gil.userId);
  expect((await call(gil, "DELETE", "/api/account", { password: PASSWORD })).status).toBe(200);
});

test("allows only inserts into the audit log", async () => {
  const { db } = server.deps;
  for (const change of [sql`update audit_log set action = 'x'`, sql`delete from audit_log`, sql`truncate audit_log`]) {
    await expect(change.execute(db)).rejects.toMatchObject({ code: "42501" });
  }
});
