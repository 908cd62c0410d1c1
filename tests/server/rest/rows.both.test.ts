import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { signUp, startAuthServer, supabase, type AuthServer } from "../../support/auth-server.ts";

let server: AuthServer;
let ann: Awaited<ReturnType<typeof signUp>>;
let bob: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  ann = await signUp(server);
  bob = await signUp(server);
});

const addStages = (ownerId: string, names: string[]) =>
  server.deps.db
    .insertInto("stages")
    .values(names.map((name, index) => ({ owner_id: ownerId, name, order: index + 1, keywords: [`${name}, now`] })))
    .execute();

const addLead = (ownerId: string, telegramUserId: number, createdAt: string) =>
  server.deps.db
    .insertInto("leads")
    .values({
      owner_id: ownerId,
      telegram_user_id: telegramUserId,
      name: "Kim",
      created_at: createdAt,
      stage_entered_at: createdAt,
    })
    .execute();

test("the browser inserts its own users row, once, and for nobody else", async () => {
  const own = { id: ann.userId, email: ann.email, name: "Ann Lee" };
  const inserted = await ann.client.from("users").insert(own);
  expect([inserted.status, inserted.error, inserted.data]).toEqual([201, null, null]);
  expect((await ann.client.from("users").select("id,email,name")).data).toEqual([own]);
  const again = await ann.client.from("users").insert(own);
  expect(again).toMatchObject({ status: 409, error: { code: "23505" } });
  const others = await ann.client.from("users").insert({ id: bob.userId, email: bob.email, name: "Not Ann" });
  expect(others).toMatchObject({ status: 403, error: { code: "42501" } });
  const nobodys = await supabase(server.url).from("users").insert(own);
  expect(nobodys).toMatchObject({ status: 401, error: { code: "42501" } });
});

test("an insert can give its row back, an upsert and an update change it", async () => {
  const row = { id: ann.userId, email: ann.email, name: "Ann" };
  const inserted = await ann.client.from("users").insert(row).select("id,name").single();
  expect([inserted.status, inserted.data]).toEqual([201, { id: ann.userId, name: "Ann" }]);
  const upserted = await ann.client
    .from("users")
    .upsert({ ...row, name: "Ann L." })
    .select("name")
    .single();
  expect(upserted.data).toEqual({ name: "Ann L." });
  const updated = await ann.client.from("users").update({ name: "Ann Lee" }).eq("id", ann.userId).select("name");
  expect(updated.data).toEqual([{ name: "Ann Lee" }]);
  const others = await bob.client.from("users").update({ name: "mine" }).eq("id", ann.userId).select();
  expect([others.status, others.data]).toEqual([200, []]);
  expect((await ann.client.from("users").select("name").single()).data).toEqual({ name: "Ann Lee" });
});

test("a row cannot be made someone else's", async () => {
  await ann.client.from("users").insert({ id: ann.userId, email: ann.email, name: "Ann" });
  const moved = await ann.client.from("users").update({ id: bob.userId }).eq("id", ann.userId);
  expect(moved).toMatchObject({ status: 403, error: { code: "42501" } });
});

test("the dashboard's figures: a count without rows, a filter by time, the newest row", async () => {
  await addStages(ann.userId, ["New", "Warm", "Won"]);
  await addStages(bob.userId, ["Other"]);
  await addLead(ann.userId, 1, "2026-11-01T10:00:00.123456Z");
  await addLead(ann.userId, 2, "2026-11-20T10:00:00Z");
  const stages = await ann.client.from("stages").select("*", { count: "exact", head: true }).eq("owner_id", ann.userId);
  expect([stages.count, stages.data, stages.error]).toEqual([3, null, null]);
  const recent = await ann.client
    .from("leads")
    .select("id", { count: "exact", head: true })
    .eq("owner_id", ann.userId)
    .gte("created_at", "2026-11-14T00:00:00.000Z");
  expect(recent.count).toBe(1);
  const last = await ann.client
    .from("leads")
    .select("created_at")
    .eq("owner_id", ann.userId)
    .order("created_at", { ascending: false })
    .limit(1)
    .maybeSingle();
  expect(last.data).toEqual({ created_at: "2026-11-20T10:00:00+00:00" });
  const first = await ann.client.from("leads").select("created_at").order("created_at").limit(1).single();
  expect(first.data).toEqual({ created_at: "2026-11-01T10:00:00.123456+00:00" });
  const none = await ann.client.from("stages").select("*", { count: "exact", head: true }).eq("owner_id", bob.userId);
  expect(none.count).toBe(0);
});

test("filters, order, paging and single rows work as supabase-js speaks them", async () => {
  await addStages(ann.userId, ["a", "b, comma", "c", "d"]);
  const names = async (query: PromiseLike<{ data: { name: string }[] | null }>) =>
    ((await query).data ?? []).map(({ name }) => name);
  const stages = () => ann.client.from("stages").select("name").order("order");
  expect(await names(stages().neq("name", "a"))).toEqual(["b, comma", "c", "d"]);
  expect(await names(stages().gt("name", "a").lt("name", "d"))).toEqual(["b, comma", "c"]);
  expect(await names(stages().gte("name", "c").lte("name", "c"))).toEqual(["c"]);
  expect(await names(stages().in("name", ["d", "b, comma"]))).toEqual(["b, comma", "d"]);
  expect(await names(stages().in("name", []))).toEqual([]);
  expect(await names(stages().not("name", "in", '("a","c","d")'))).toEqual(["b, comma"]);
  expect(await names(stages().range(1, 2))).toEqual(["b, comma", "c"]);
  expect(await names(ann.client.from("stages").select("name").order("order", { ascending: false }).limit(1))).toEqual([
    "d",
  ]);
  expect(await names(ann.client.from("stages").select("name").is("created_at", null))).toEqual([]);
  const many = await ann.client.from("stages").select("name").single();
  expect(many).toMatchObject({ status: 406, error: { code: "PGRST116", details: "The result contains 4 rows" } });
  const noRow = await ann.client.from("stages").select("name").eq("name", "z").maybeSingle();
  expect([noRow.data, noRow.error]).toEqual([null, null]);
  const page = await ann.client.from("stages").select("name", { count: "exact" }).range(2, 3);
  expect([page.count, page.data?.length]).toEqual([4, 2]);
});

test("settings read true and false as themselves", async () => {
  await server.deps.db
    .insertInto("user_settings")
    .values({ user_id: ann.userId, auto_followups_enabled: true })
    .execute();
  const on = await ann.client
    .from("user_settings")
    .select("auto_followup_start_hour")
    .eq("auto_followups_enabled", true)
    .single();
  expect(on.data).toEqual({ auto_followup_start_hour: 9 });
  expect((await ann.client.from("user_settings").select("user_id").is("auto_followups_enabled", false)).data).toEqual(
    [],
  );
});

test("nobody who is not signed in reads anything", async () => {
  await addStages(ann.userId, ["New"]);
  const { status, error } = await supabase(server.url).from("stages").select();
  expect([status, error?.code]).toEqual([401, "42501"]);
});

test("product tables are not written from a browser, and secrets are not there to be read", async () => {
  await addStages(ann.userId, ["New"]);
  const tries = await Promise.all([
    ann.client.from("stages").insert({ name: "x", order: 9, owner_id: ann.userId }),
    ann.client.from("stages").update({ name: "x" }).eq("owner_id", ann.userId),
    ann.client.from("stages").delete().eq("owner_id", ann.userId),
    ann.client.from("users").delete().eq("id", ann.userId),
  ]);
  expect(tries.map(({ status, error }) => [status, error?.code])).toEqual(tries.map(() => [403, "42501"]));
  for (const table of ["audit_log", "media_blobs", "messages", "pg_roles", "auth.users", "nothing"]) {
    const { status, error } = await ann.client.from(table).select();
    expect([table, status, error?.code]).toEqual([table, 404, "PGRST205"]);
  }
});

test("what is not understood is refused in PostgREST's shape", async () => {
  const get = async (path: string) => {
    const response = await fetch(`${server.url}/rest/v1/${path}`, {
      headers: { authorization: `Bearer ${ann.session.access_token}` },
    });
    const { code } = (await response.json()) as { code: string };
    return [response.status, code];
  };
  expect(await get("stages?nope=eq.1")).toEqual([400, "42703"]);
  expect(await get("stages?select=name,nope")).toEqual([400, "42703"]);
  expect(await get("stages?select=name,leads(id)")).toEqual([400, "42703"]);
  expect(await get("stages?name=like.*a*")).toEqual([400, "PGRST100"]);
  expect(await get("stages?name=constructor.x")).toEqual([400, "PGRST100"]);
  expect(await get("stages?or=(name.eq.a)")).toEqual([400, "42703"]);
  expect(await get("stages?id=eq.not-an-id")).toEqual([400, "22P02"]);
  expect(await get("stages?limit=-1")).toEqual([400, "PGRST100"]);
  expect(await get("stages?order=name);drop table stages")).toEqual([400, "42703"]);
  expect(await get("stages/1")).toEqual([404, "PGRST125"]);
  const unknownColumn = await ann.client.from("users").insert({ id: ann.userId, email: ann.email, is_admin: true });
  expect(unknownColumn).toMatchObject({ status: 400, error: { code: "PGRST204" } });
  const tooLong = await ann.client.from("users").insert({ id: ann.userId, email: ann.email, name: "x".repeat(201) });
  expect(tooLong).toMatchObject({ status: 400, error: { code: "23514" } });
});

test("an expired or signed-out token is refused, not taken for nobody's", async () => {
  const read = (token: string) =>
    fetch(`${server.url}/rest/v1/stages`, { headers: { authorization: `Bearer ${token}` } });
  await ann.client.auth.signOut();
  const signedOut = await read(ann.session.access_token);
  expect([signedOut.status, await signedOut.json()]).toMatchObject([401, { code: "PGRST301" }]);
  server.clock.advance(3_700);
  const expired = await read(bob.session.access_token);
  expect([expired.status, await expired.json()]).toEqual([
    401,
    { code: "PGRST303", details: null, hint: null, message: "JWT expired" },
  ]);
});
