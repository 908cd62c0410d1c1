import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";
import { ANON_KEY, supabase } from "../../support/auth-server.ts";
import { sharedServer, type TestUser } from "../../support/server.ts";
import { addRow, addRows } from "../../support/rows.ts";
import { setAccess } from "../../support/tenant.ts";

const server = await sharedServer();
const { db } = server.deps;

/** Returns a supabase-js client of this user, as the page uses it. */
const clientOf = ({ token }: Pick<TestUser, "token">): SupabaseClient =>
  createClient(server.url, ANON_KEY, { accessToken: async () => token });
const get = (path: string, token: string) => server.call("GET", `/rest/v1/${path}`, { token });
const addStages = (owner_id: string, names: string[]) =>
  addRows(
    db,
    "stages",
    names.map((name, index) => ({ owner_id, name, order: index + 11 })),
  );
const addLead = (owner_id: string, telegram_user_id: number, at: string) =>
  addRow(db, "leads", { owner_id, telegram_user_id, name: "Kim", created_at: at, stage_entered_at: at });
const HEAD = { count: "exact", head: true } as const;

const dashboard = (client: SupabaseClient, userId: string) => ({
  leads: () =>
    client.from("leads").select("id", HEAD).eq("owner_id", userId).gte("created_at", "2026-11-14T00:00:00.000Z"),
  stages: () => client.from("stages").select("id", HEAD).eq("owner_id", userId),
  sessions: () => client.from("telegram_sessions").select("id", HEAD).eq("user_id", userId),
  newest: () =>
    client.from("leads").select("created_at").eq("owner_id", userId).order("created_at", { ascending: false }).limit(1),
});

describe("the dashboard's figures", () => {
  test("count the user's rows without reading them, and return the newest lead", async () => {
    const [ann, bob] = [await server.subscriber(), await server.subscriber()];
    await addStages(ann.userId, ["Warm", "Won"]);
    await addStages(bob.userId, ["Other"]);
    await addLead(ann.userId, 1, "2026-11-01T10:00:00.123456Z");
    await addLead(ann.userId, 2, "2026-11-20T10:00:00.123456Z");
    const read = dashboard(clientOf(ann), ann.userId);
    const stages = await read.stages();
    expect([stages.count, stages.data, stages.error]).toEqual([2, null, null]);
    expect((await read.leads()).count).toBe(1);
    expect((await read.sessions()).count).toBe(0);
    expect((await read.newest()).data).toEqual([{ created_at: "2026-11-20T10:00:00.123456Z" }]);
    const others = dashboard(clientOf(ann), bob.userId);
    expect([(await others.stages()).count, (await others.newest()).data]).toEqual([0, []]);
  });

  test("count a new account's first stage, and only connected accounts", async () => {
    const ann = await server.subscriber();
    const { stages, sessions } = dashboard(clientOf(ann), ann.userId);
    expect((await stages()).count).toBe(1);
    const listed = await server.call("GET", "/api/stages", { token: ann.token });
    expect(listed.body).toMatchObject([{ name: "Initial Contact" }]);
    const { phone } = await server.connect(ann);
    expect((await sessions()).count).toBe(1);
    await server.sandbox(phone, "/revoke", {});
    await server.idle();
    expect((await sessions()).count).toBe(0);
  });
});

describe("access", () => {
  test("ends with the subscription for all rows except subscription and profile", async () => {
    const ann = await server.subscriber();
    await setAccess(server.deps, ann.userId, "canceled");
    const read = dashboard(clientOf(ann), ann.userId);
    for (const ask of [read.leads, read.stages, read.sessions, read.newest]) expect((await ask()).status).toBe(402);
    const refused = await get("leads?select=name,notes", ann.token);
    const message = "An active subscription is needed for this. Open Billing to subscribe.";
    const body = { code: "subscription_required", message, details: null, hint: null };
    expect([refused.status, refused.body]).toEqual([402, body]);
    const client = clientOf(ann);
    const own = await client.from("subscriptions").select("*").eq("user_id", ann.userId).maybeSingle();
    expect(own.data).toMatchObject({ user_id: ann.userId, status: "canceled", cancel_at_period_end: false });
    const newest = client.from("subscriptions").select("status").eq("user_id", ann.userId);
    const status = await newest.order("created_at", { ascending: false }).limit(1);
    expect(status.data).toEqual([{ status: "canceled" }]);
    const profile = { id: ann.userId, email: ann.email, name: "Ann" };
    expect((await client.from("users").insert(profile)).status).toBe(201);
  });

  test("needs a session: refuses no token, an expired or a revoked one", async () => {
    const [ann, bob] = [await server.subscriber(), await server.subscriber()];
    const anonymous = await supabase(server.url).from("stages").select("id", { count: "exact" });
    expect([anonymous.status, anonymous.error?.code]).toEqual([404, "PGRST125"]);
    await server.call("POST", "/auth/v1/logout", { token: ann.token });
    expect(await get("subscriptions?select=*", ann.token)).toMatchObject({ status: 401, body: { code: "PGRST301" } });
    await server.advance(3_700);
    const expired = { code: "PGRST303", details: null, hint: null, message: "JWT expired" };
    expect(await get("subscriptions?select=*", bob.token)).toMatchObject({ status: 401, body: expired });
  });
});

describe("the users row", () => {
  test("is returned from an insert or an update on request", async () => {
    const ann = await server.signUp();
    const client = clientOf(ann);
    const row = { id: ann.userId, email: ann.email, name: "Ann" };
    const inserted = await client.from("users").insert(row).select("id,name").single();
    expect([inserted.status, inserted.data]).toEqual([201, { id: ann.userId, name: "Ann" }]);
    const updated = await client.from("users").update({ name: "Ann Lee" }).eq("id", ann.userId).select("name");
    expect([updated.status, updated.data]).toEqual([200, [{ name: "Ann Lee" }]]);
    expect((await client.from("users").update({ email: "ann@example.com" }).eq("id", ann.userId)).status).toBe(204);
    const changed = { name: "Ann Lee", email: "ann@example.com" };
    expect((await client.from("users").select("name,email").single()).data).toEqual(changed);
  });

  test("accepts only valid values, and cannot change its owner", async () => {
    const [ann, bob] = [await server.signUp(), await server.signUp()];
    const users = () => clientOf(ann).from("users");
    const own = { id: ann.userId, email: ann.email };
    for (const [row, code] of [
      [{ is_admin: true }, "PGRST204"],
      [{ name: { first: "Ann" } }, "PGRST102"],
      [{ name: "x".repeat(201) }, "23514"],
      [{ name: "\u0000" }, expect.any(String)],
    ] as const)
      expect(await users().insert({ ...own, ...row })).toMatchObject({ status: 400, error: { code } });
    expect((await users().insert(own)).status).toBe(201);
    const reassigned = await users().update({ id: bob.userId }).eq("id", ann.userId);
    expect(reassigned).toMatchObject({ status: 403, error: { code: "42501" } });
  });
});

test("returns 404 in PostgREST's shape for anything else", async () => {
  const ann = await server.subscriber();
  const body = {
    code: "PGRST125",
    message: "Invalid path specified in request URL",
    details: null,
    hint: "Only the calls of the page are answered here. Programs use /api.",
  };
  const leads = [
    "leads?select=name,notes",
    "leads?select=created_at",
    "leads?select=created_at&order=created_at.desc&limit=1&offset=1",
    "leads?select=created_at&order=created_at.desc&limit=2",
    "leads?select=created_at&order=name.desc&limit=1",
    "leads?select=created_at&order=created_at.desc&limit=1&notes=like.*a*",
    "leads?select=created_at,stages(name)&order=created_at.desc&limit=1",
  ];
  const others =
    "leads/1 stages?select=* telegram_sessions?select=* subscriptions?select=nope followups user_settings messages " +
    "subscriptions?select=*&or=(status.eq.active) api_keys?select=* __proto__ rpc/has_access";
  for (const path of [...leads, ...others.split(" "), ""])
    expect([path, await get(path, ann.token)]).toMatchObject([path, { status: 404, body }]);
  const writes = `POST stages, PATCH stages?id=eq.1, DELETE leads, DELETE users?id=eq.${ann.userId}, PUT users`;
  for (const line of `${writes}, POST subscriptions, HEAD followups?select=id`.split(", ")) {
    const [method = "", path] = line.split(" ");
    const answer = await server.call(method, `/rest/v1/${path}`, { token: ann.token });
    expect([line, answer.status, answer.body]).toEqual([line, 404, method === "HEAD" ? "" : body]);
  }
});
