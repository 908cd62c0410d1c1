import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";
import { ANON_KEY, supabase } from "../../support/auth-server.ts";
import { type TestUser } from "../../support/server.ts";
import { sharedServer } from "../../support/servers.ts";
import { addRow, addRows, changeRows } from "../../support/rows.ts";

const server = await sharedServer();

/** supabase-js as the page uses it, signed in as this user. */
const clientOf = ({ token }: Pick<TestUser, "token">): SupabaseClient =>
  createClient(server.url, ANON_KEY, { accessToken: async () => token });
const get = (path: string, token?: string, headers: Record<string, string> = {}) =>
  server.call<{ code: string; message: string; details: unknown; hint: unknown }>("GET", `/rest/v1/${path}`, {
    token,
    headers,
  });

const addStages = (ownerId: string, names: string[]) =>
  addRows(
    server.deps.db,
    "stages",
    names.map((name, index) => ({ owner_id: ownerId, name, order: index + 11 })),
  );
const addLead = (ownerId: string, telegramUserId: number, createdAt: string) =>
  addRow(server.deps.db, "leads", {
    owner_id: ownerId,
    telegram_user_id: telegramUserId,
    name: "Kim",
    created_at: createdAt,
    stage_entered_at: createdAt,
  });
const lapse = ({ userId }: TestUser) =>
  changeRows(server.deps.db, "subscriptions", { user_id: userId }, { status: "canceled" }).then(() =>
    server.deps.bus.publish("subscription.changed", { user_id: userId }),
  );

/** The calls of the dashboard, as the page makes them. */
const dashboard = (client: SupabaseClient, userId: string) => ({
  leads: () =>
    client
      .from("leads")
      .select("id", { count: "exact", head: true })
      .eq("owner_id", userId)
      .gte("created_at", "2026-11-14T00:00:00.000Z"),
  stages: () => client.from("stages").select("id", { count: "exact", head: true }).eq("owner_id", userId),
  sessions: () => client.from("telegram_sessions").select("id", { count: "exact", head: true }).eq("user_id", userId),
  newest: () =>
    client.from("leads").select("created_at").eq("owner_id", userId).order("created_at", { ascending: false }).limit(1),
});

describe("the dashboard's figures", () => {
  test("count one's own rows without reading them, and give the newest lead", async () => {
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

  test("count the first stage of a new account, also before its stages are listed", async () => {
    const ann = await server.subscriber();
    expect((await dashboard(clientOf(ann), ann.userId).stages()).count).toBe(1);
    expect((await server.call("GET", "/api/stages", { token: ann.token })).body).toMatchObject([
      { name: "Initial Contact" },
    ]);
  });

  test("count connected accounts only", async () => {
    const ann = await server.subscriber();
    const { phone } = await server.connect(ann);
    const { sessions } = dashboard(clientOf(ann), ann.userId);
    expect((await sessions()).count).toBe(1);
    await server.call("POST", `/sandbox/telegram/accounts/${encodeURIComponent(phone)}/revoke`);
    await server.idle();
    expect((await sessions()).count).toBe(0);
  });
});

describe("access", () => {
  test("ends with the subscription for every row but the subscription and the profile", async () => {
    const ann = await server.subscriber();
    await lapse(ann);
    const read = dashboard(clientOf(ann), ann.userId);
    for (const ask of [read.leads, read.stages, read.sessions, read.newest]) expect((await ask()).status).toBe(402);
    const refused = await get("leads?select=name,notes", ann.token);
    expect([refused.status, refused.body]).toEqual([
      402,
      {
        code: "subscription_required",
        message: "An active subscription is needed for this. Open Billing to subscribe.",
        details: null,
        hint: null,
      },
    ]);
    const client = clientOf(ann);
    const own = await client.from("subscriptions").select("*").eq("user_id", ann.userId).maybeSingle();
    expect(own.data).toMatchObject({ user_id: ann.userId, status: "canceled", cancel_at_period_end: false });
    const newest = client.from("subscriptions").select("status").eq("user_id", ann.userId);
    const status = await newest.order("created_at", { ascending: false }).limit(1);
    expect(status.data).toEqual([{ status: "canceled" }]);
    const profile = { id: ann.userId, email: ann.email, name: "Ann" };
    expect((await client.from("users").insert(profile)).status).toBe(201);
  });

  test("needs a session: no token, an expired or an ended one is refused", async () => {
    const [ann, bob] = [await server.subscriber(), await server.subscriber()];
    const anonymous = await supabase(server.url).from("stages").select("id", { count: "exact" });
    expect([anonymous.status, anonymous.error?.code]).toEqual([404, "PGRST125"]);
    const signedOut = supabase(server.url);
    expect(await signedOut.from("subscriptions").select("*")).toMatchObject({ status: 401, error: { code: "42501" } });
    const profile = { id: ann.userId, email: ann.email, name: "Ann" };
    expect(await signedOut.from("users").insert(profile)).toMatchObject({ status: 401, error: { code: "42501" } });
    await server.call("POST", "/auth/v1/logout", { token: ann.token });
    expect(await get("subscriptions?select=*", ann.token)).toMatchObject({ status: 401, body: { code: "PGRST301" } });
    await server.advance(3_700);
    expect(await get("subscriptions?select=*", bob.token)).toMatchObject({
      status: 401,
      body: { code: "PGRST303", details: null, hint: null, message: "JWT expired" },
    });
  });
});

describe("the users row", () => {
  test("comes back from an insert or an update that asks for it", async () => {
    const [ann, bob] = [await server.signUp(), await server.signUp()];
    const client = clientOf(ann);
    const row = { id: ann.userId, email: ann.email, name: "Ann" };
    const inserted = await client.from("users").insert(row).select("id,name").single();
    expect([inserted.status, inserted.data]).toEqual([201, { id: ann.userId, name: "Ann" }]);
    const updated = await client.from("users").update({ name: "Ann Lee" }).eq("id", ann.userId).select("name");
    expect([updated.status, updated.data]).toEqual([200, [{ name: "Ann Lee" }]]);
    expect((await client.from("users").update({ email: "ann@example.com" }).eq("id", ann.userId)).status).toBe(204);
    const others = await clientOf(bob).from("users").update({ name: "mine" }).eq("id", ann.userId).select();
    expect([others.status, others.data]).toEqual([200, []]);
    expect((await client.from("users").select("name,email").single()).data).toEqual({
      name: "Ann Lee",
      email: "ann@example.com",
    });
  });

  test("takes only what it can store, and cannot be given away", async () => {
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
    expect(await users().update({ id: bob.userId }).eq("id", ann.userId)).toMatchObject({
      status: 403,
      error: { code: "42501" },
    });
  });
});

test("anything else is not there, in PostgREST's shape", async () => {
  const ann = await server.subscriber();
  const missing = {
    status: 404,
    body: {
      code: "PGRST125",
      message: "Invalid path specified in request URL",
      details: null,
      hint: "Only the calls of the page are answered here. Programs use /api.",
    },
  };
  for (const path of [
    "leads?select=name,notes",
    "leads?select=created_at",
    "leads?select=created_at&order=created_at.desc&limit=1&offset=1",
    "leads?select=created_at&order=created_at.desc&limit=2",
    "leads?select=created_at&order=name.desc&limit=1",
    "leads?select=created_at&order=created_at.desc&limit=1&notes=like.*a*",
    "leads?select=created_at,stages(name)&order=created_at.desc&limit=1",
    "leads/1",
    "stages?select=*",
    "telegram_sessions?select=*",
    "subscriptions?select=nope",
    "subscriptions?select=*&or=(status.eq.active)",
    "followups",
    "user_settings",
    "messages",
    "api_keys?select=*",
    "__proto__",
    "rpc/has_access",
    "",
  ])
    expect([path, await get(path, ann.token)]).toMatchObject([path, missing]);
  for (const [method, path] of [
    ["POST", "stages"],
    ["PATCH", "stages?id=eq.1"],
    ["DELETE", "leads"],
    ["DELETE", `users?id=eq.${ann.userId}`],
    ["PUT", "users"],
    ["POST", "subscriptions"],
    ["HEAD", "followups?select=id"],
  ] as const) {
    const answer = await server.call(method, `/rest/v1/${path}`, { token: ann.token });
    const body = method === "HEAD" ? "" : missing.body;
    expect([method, path, answer.status, answer.body]).toEqual([method, path, 404, body]);
  }
});
