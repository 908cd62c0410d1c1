import * as v from "valibot";
import { beforeAll, describe, expect, it, test } from "vitest";
import { LeadsQuery } from "../../../domain/lead.ts";
import { readIds } from "../../../server/leads/list.ts";
import { isRealPostgres } from "../../support/database.ts";
import { seedLeads, type SeededLead } from "../../support/seed.ts";
import { sharedServer } from "../../support/server.ts";
import { RESET } from "../../support/leads.ts";
import { addRows, changeRows, rowOf, rowsOf, watchResults } from "../../support/rows.ts";

const server = await sharedServer();
const { db } = server.deps;
type Page = { leads: { id: string }[]; total: number };
const user = await server.subscriber();
const named = ["One", "Two", "Three"].map((name, index) => ({ name, order: index + 1, keywords: ["x"] }));
const rows = named.map((stage) => ({ ...stage, owner_id: user.userId }));
const stageIds = (await addRows(db, "stages", rows)).map(({ id }) => id);
const all = await seedLeads(db, user.userId, stageIds, 4_200);
await seedLeads(db, (await server.subscriber()).userId, [], 300, 2);

const ask = <T>(method: string, path: string, body?: unknown) => user.call<T>(method, `/leads${path}`, body);

const newestFirst = (leads: readonly SeededLead[]) =>
  leads.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id));
const list = async (query: string) => {
  const { status, body } = await ask<Page>("GET", `?${query}`);
  expect(status).toBe(200);
  return { ids: body.leads.map(({ id }) => id), total: body.total };
};
const expected = (limit: number, offset: number, keep: (lead: SeededLead) => boolean = () => true) => {
  const matching = newestFirst(all).filter(keep);
  return { ids: matching.slice(offset, offset + limit).map(({ id }) => id), total: matching.length };
};

describe("the last message of each lead", () => {
  type Shown = { leads: { id: string; waiting_since?: string | null; last_message?: unknown }[] };
  let newest: SeededLead;
  beforeAll(async () => {
    newest = newestFirst(all)[0] as SeededLead;
    const { telegram_user_id } = await rowOf(db, "leads", { id: newest.id }, ["telegram_user_id"]);
    const message = { owner_id: user.userId, account_user_id: "1", peer_user_id: telegram_user_id, is_outgoing: false };
    const [at, later] = ["2026-06-01T10:00:00Z", "2026-06-01T11:00:00Z"];
    await addRows(db, "messages", [
      { ...message, message_id: 1, text: "Hello", sent_at: at, deleted_at: null },
      { ...message, message_id: 2, text: `What is the price? ${"x".repeat(300)}`, sent_at: at, deleted_at: null },
      { ...message, message_id: 3, text: "Never mind", sent_at: later, deleted_at: "2026-06-01T11:01:00Z" },
    ]);
    await changeRows(db, "leads", { id: newest.id }, { waiting_since: "2026-06-01T10:00:00Z" });
  });
  const read = async (query: string) => (await ask<Shown>("GET", `?${query}`)).body.leads;

  test.each(["", "&sort=-created_at", "&name=", "&awaiting_reply=false"])(
    "is included on request: limit=50&include=last_message%s",
    async (query) => {
      const leads = await read(`limit=50&include=last_message${query}`);
      expect(leads.every((lead) => lead.last_message !== undefined)).toBe(true);
      expect(leads.filter(({ id }) => id === newest.id).map(({ last_message }) => last_message)).toEqual([
        {
          id: expect.stringMatching(/^\d+$/),
          text: `What is the price? ${"x".repeat(101)}`,
          direction: "in",
          kind: "text",
          at: expect.stringMatching(/^2026-06-01T10:00:00/),
        },
      ]);
    },
  );

  test("is null without messages, and absent unless requested", async () => {
    const [first, second] = await read("limit=2&include=last_message");
    const waiting = "2026-06-01T10:00:00";
    expect(first?.waiting_since?.slice(0, 19)).toBe(waiting);
    expect(second).toMatchObject({ waiting_since: null, last_message: null });
    const [plain] = await read("limit=1");
    expect([plain?.waiting_since?.slice(0, 19), "last_message" in (plain ?? {})]).toEqual([waiting, false]);
    expect(await read("limit=1&fields=id&include=last_message")).toEqual([{ id: newest.id }]);
    const { body } = await ask<Shown["leads"][0]>("GET", `/${newest.id}`);
    expect(body.last_message).toMatchObject({ direction: "in", kind: "text" });
  });
});

test.each([0, 50, 1_950, 2_000, 2_150, 4_150, 4_199, 4_200, 9_000])(
  "returns the right fifty from offset %i",
  async (offset) => {
    expect(await list(`limit=50&offset=${offset}`)).toEqual(expected(50, offset));
  },
);

test("returns thousands at once, whole or ids only, like pages of fifty", async () => {
  for (const query of ["limit=100000", "limit=100000&fields=id"])
    expect(await list(query)).toEqual(expected(100_000, 0));
  expect(await list("limit=3000&offset=4000")).toEqual(expected(3_000, 4_000));
  expect(await list("limit=3000&offset=5000")).toEqual(expected(3_000, 5_000));
  const named = (lead: SeededLead) => lead.name.startsWith("Bob");
  expect(await list("limit=5000&name=bob")).toEqual(expected(5_000, 0, named));
  expect(await list("limit=5000&stage_id=nowhere")).toEqual({ ids: [], total: 0 });
});

test("filters by stage with totals from the counters, also on late pages", async () => {
  const inStage = (lead: SeededLead) => lead.stage_id === stageIds[1];
  expect(await list(`stage_id=${stageIds[1]}&limit=50`)).toEqual(expected(50, 0, inStage));
  const { total } = expected(50, 0, inStage);
  const late = `stage_id=${stageIds[1]}&limit=50&offset=${total - 20}`;
  expect(await list(late)).toEqual(expected(50, total - 20, inStage));
});

const REFUSED =
  "limit=0 limit=100001 limit=abc offset=-1 created_start=yesterday created_start=2026-02-30T00:00:00Z " +
  "created_start=0000-01-01T00:00:00Z created_end=2026-03-01T00:00:00%2B16:00 created_end=2026-03-01T00:00:00%2B05 " +
  "opted_out=maybe awaiting_reply=maybe tag=red sort=notes q=a&q=b colour=red";
test.each(REFUSED.split(" "))("refuses %s and says what is wrong", async (query) => {
  const { status, body } = await ask<{ code: string; message: string }>("GET", `?${query}`);
  expect([status, body.code]).toEqual([422, "invalid_input"]);
  expect(body.message).toContain(query.split("=")[0]);
});

test("returns one lead like the list, with stage entry and reachability", async () => {
  const id = newestFirst(all)[0]?.id ?? "";
  const entered = "2026-02-03T04:05:06.789Z";
  await changeRows(db, "leads", { id }, { unreachable_reason: "USER_IS_BLOCKED", stage_entered_at: entered });
  const page = await ask<{ leads: Record<string, unknown>[] }>("GET", "?limit=1&include=last_message");
  const listed = page.body.leads[0];
  const automation = {
    state: "no_steps",
    due_at: null,
    step: null,
    words: expect.any(String),
    words_code: "no_steps",
    words_params: {},
    stage_entered_at: entered,
  };
  const own = { opted_out_at: null, tags: [], fields: {}, unread: 0, automation, draft: null };
  const known = { stage_entered_at: "2026-02-03T04:05:06.789+00:00", unreachable_reason: "USER_IS_BLOCKED" };
  const { status, body } = await ask("GET", `/${id}`);
  expect([status, body]).toEqual([200, { ...listed, ...own, ...known }]);
  expect(Number(listed?.["telegram_user_id"])).toBeGreaterThan(0);
});

it.skipIf(!isRealPostgres)("lists as many leads as its total when one arrives between its statements", async () => {
  const { userId } = await server.subscriber();
  const [oldest] = await seedLeads(db, userId, [], 1, 3);
  const at = server.deps.clock.iso();
  const newest = { owner_id: userId, telegram_user_id: "9000001", created_at: at, stage_entered_at: at };
  let counts = 0;
  const arriving = watchResults(db, async ({ rows }) => {
    if (Object.keys(rows[0] ?? {}).join() !== "total") return;
    counts += 1;
    await addRows(db, "leads", [newest]);
  });
  const page = await readIds(arriving, userId, v.parse(LeadsQuery, { limit: "100000" }));
  expect([counts, page]).toEqual([1, { ids: oldest?.id, total: 1 }]);
});

test("resets the cursor, raises the epoch, and updates totals and history on a move", async () => {
  const lead = all.find(({ stage_id, followup_order_sent }) => stage_id === stageIds[0] && followup_order_sent > 0);
  const id = lead?.id ?? "";
  const [from = "", , to = ""] = stageIds;
  const totals = async () => {
    const rows = await rowsOf(db, "lead_totals", { owner_id: user.userId }, ["stage_id", "total"]);
    return Object.fromEntries(rows.map((row) => [row.stage_id, row.total]));
  };
  const before = await totals();
  const body = { stage_id: to, ...RESET };
  expect((await ask("PATCH", `/${id}`, body)).status).toBe(200);
  expect(await rowOf(db, "leads", { id })).toMatchObject({ ...body, stage_entry_epoch: 2 });
  const history = [{ from_stage_id: from, to_stage_id: to, reason: "manual", epoch: 2 }];
  expect(await rowsOf(db, "stage_history", { lead_id: id })).toMatchObject(history);
  expect(await totals()).toEqual({ ...before, [from]: (before[from] ?? 0) - 1, [to]: (before[to] ?? 0) + 1 });
});

test("changes nothing when a lead is moved to the stage that it is in", async () => {
  const { id = "", stage_id } = all.find((lead) => lead.stage_id !== null && lead.followup_order_sent > 0) ?? {};
  const read = async () => [await rowOf(db, "leads", { id }), await rowsOf(db, "stage_history", { lead_id: id })];
  const before = await read();
  expect((await ask("PATCH", `/${id}`, { stage_id, ...RESET })).status).toBe(200);
  expect(await read()).toEqual(before);
});

test("undoes a move within a minute, with follow-ups, last reply and statistics", async () => {
  const id = all.find((lead) => lead.stage_id === stageIds[1] && lead.followup_order_sent > 0)?.id ?? "";
  const read = async () => {
    const { stage_entry_epoch: _, ...row } = await rowOf(db, "leads", { id });
    return row;
  };
  const undo = () => ask("POST", `/${id}/stage/undo`);
  const move = async () => (await ask("PATCH", `/${id}`, { stage_id: stageIds[2] })).status;
  const before = await read();
  expect(await undo()).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
  expect(await move()).toBe(200);
  const first = await undo();
  expect(first.status).toBe(200);
  const undone = await rowOf(db, "leads", { id });
  expect(await read()).toEqual(before);
  expect(await rowsOf(db, "stage_history", { lead_id: id })).toEqual([]);
  expect(await undo()).toEqual(first);
  expect(await rowOf(db, "leads", { id })).toEqual(undone);
  await move();
  const at = new Date(Date.now() - 61_000).toISOString();
  await changeRows(db, "stage_history", { lead_id: id }, { at });
  expect((await undo()).status).toBe(409);
  expect(await read()).toMatchObject({ stage_id: stageIds[2], followup_order_sent: 0 });
});

test("refuses unknown fields and stages, and changes nothing", async () => {
  const stage_id = "00000000-0000-4000-8000-000000000000";
  for (const wrong of [
    { notes: "x", owner_id: user.userId },
    { stage_id },
    { stage_id: stageIds[0], followup_order_sent: 3 },
  ])
    expect([wrong, (await ask("PATCH", `/${all[1]?.id}`, wrong)).status]).toEqual([wrong, 422]);
});
