import { beforeAll, describe, expect, test } from "vitest";
import { seedLeads, type SeededLead } from "../../support/seed.ts";
import { type TestUser } from "../../support/server.ts";
import { sharedServer } from "../../support/servers.ts";
import { addRows, changeRows, rowOf, rowsOf } from "../../support/rows.ts";

const server = await sharedServer();
let user: TestUser;
let all: SeededLead[];
let stageIds: string[];
type Page = { leads: { id: string }[]; total: number };

beforeAll(async () => {
  user = await server.subscriber();
  const other = await server.subscriber();
  const rows = ["One", "Two", "Three"].map((name, index) => ({
    owner_id: user.userId,
    name,
    order: index + 1,
    keywords: ["x"],
  }));
  stageIds = (await addRows(server.deps.db, "stages", rows)).map(({ id }) => id);
  all = await seedLeads(server.deps.db, user.userId, stageIds, 4_200);
  await seedLeads(server.deps.db, other.userId, [], 300, 2);
});

const newestFirst = (leads: readonly SeededLead[]) =>
  leads.toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id.localeCompare(a.id));
const list = async (query: string) => {
  const { status, body } = await server.call<Page>("GET", `/api/leads?${query}`, { token: user.token });
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
    const { telegram_user_id } = await rowOf(server.deps.db, "leads", { id: newest.id }, ["telegram_user_id"]);
    const said = { owner_id: user.userId, account_user_id: "1", peer_user_id: telegram_user_id, is_outgoing: false };
    const [at, later] = ["2026-06-01T10:00:00Z", "2026-06-01T11:00:00Z"];
    await addRows(server.deps.db, "messages", [
      { ...said, message_id: 1, text: "Hello", sent_at: at, deleted_at: null },
      { ...said, message_id: 2, text: `What is the price? ${"x".repeat(300)}`, sent_at: at, deleted_at: null },
      { ...said, message_id: 3, text: "Never mind", sent_at: later, deleted_at: "2026-06-01T11:01:00Z" },
    ]);
    await changeRows(server.deps.db, "leads", { id: newest.id }, { waiting_since: "2026-06-01T10:00:00Z" });
  });
  const read = async (query: string) =>
    (await server.call<Shown>("GET", `/api/leads?${query}`, { token: user.token })).body.leads;

  test.each(["", "&sort=-created_at", "&name=", "&awaiting_reply=false"])(
    "comes along when it is asked for: limit=50&include=last_message%s",
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

  test("is null where nothing was said, and absent from the plain answer", async () => {
    const [first, second] = await read("limit=2&include=last_message");
    expect([first?.waiting_since?.slice(0, 19), second?.waiting_since, second?.last_message]).toEqual([
      "2026-06-01T10:00:00",
      null,
      null,
    ]);
    const [plain] = await read("limit=1");
    expect([plain?.waiting_since?.slice(0, 19), "last_message" in (plain ?? {})]).toEqual([
      "2026-06-01T10:00:00",
      false,
    ]);
    expect(await read("limit=1&fields=id&include=last_message")).toEqual([{ id: newest.id }]);
  });

  test("comes with the one lead that is read", async () => {
    const { body } = await server.call<Shown["leads"][0]>("GET", `/api/leads/${newest.id}`, { token: user.token });
    expect(body.last_message).toMatchObject({ direction: "in", kind: "text" });
  });
});

describe("the list of leads", () => {
  test.each([0, 50, 1_950, 2_000, 2_150, 4_150, 4_199, 4_200, 9_000])(
    "shows the right fifty from offset %i",
    async (offset) => {
      expect(await list(`limit=50&offset=${offset}`)).toEqual(expected(50, offset));
    },
  );

  test("gives thousands at once, whole or by id, as pages of fifty do", async () => {
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
    expect(await list(`stage_id=${stageIds[1]}&limit=50&offset=${total - 20}`)).toEqual(
      expected(50, total - 20, inStage),
    );
  });

  test.each(["limit=0", "limit=100001", "limit=abc", "offset=-1", "created_start=yesterday"])(
    "refuses %s and says what is wrong",
    async (query) => {
      const { status, body } = await server.call<{ code: string; message: string }>("GET", `/api/leads?${query}`, {
        token: user.token,
      });
      expect(status).toBe(422);
      expect(body.code).toBe("invalid_input");
      expect(body.message).toContain(query.split("=")[0]);
    },
  );
});

describe("one lead", () => {
  test("is answered as the list answers it, with when it entered its stage and whether it can be reached", async () => {
    const id = newestFirst(all)[0]?.id ?? "";
    await changeRows(
      server.deps.db,
      "leads",
      { id },
      { unreachable_reason: "USER_IS_BLOCKED", stage_entered_at: "2026-02-03T04:05:06.789Z" },
    );
    const page = await server.call<{ leads: Record<string, unknown>[] }>(
      "GET",
      "/api/leads?limit=1&include=last_message",
      { token: user.token },
    );
    const { status, body } = await server.call("GET", `/api/leads/${id}`, { token: user.token });
    const listed = page.body.leads[0];
    const own = {
      opted_out_at: null,
      tags: [],
      fields: {},
      unread: 0,
      automation: {
        state: "no_steps",
        due_at: null,
        step: null,
        words: expect.any(String),
        words_code: "no_steps",
        words_params: {},
        stage_entered_at: "2026-02-03T04:05:06.789Z",
      },
      draft: null,
    };
    expect([status, body]).toEqual([
      200,
      { ...listed, ...own, stage_entered_at: "2026-02-03T04:05:06.789+00:00", unreachable_reason: "USER_IS_BLOCKED" },
    ]);
    expect(Number(listed?.["telegram_user_id"])).toBeGreaterThan(0);
  });
});

describe("changing a lead", () => {
  test("a stage change resets the cursor, raises the epoch, moves the totals and writes history", async () => {
    const lead = all.find(({ stage_id, followup_order_sent }) => stage_id === stageIds[0] && followup_order_sent > 0);
    const totals = async () =>
      Object.fromEntries(
        (await rowsOf(server.deps.db, "lead_totals", { owner_id: user.userId }, ["stage_id", "total"])).map((row) => [
          row.stage_id,
          row.total,
        ]),
      );
    const before = await totals();
    const body = {
      stage_id: stageIds[2],
      followup_order_sent: 0,
      last_followup_sent_at: null,
      last_user_message_at: null,
    };
    expect((await server.call("PATCH", `/api/leads/${lead?.id}`, { token: user.token, body })).status).toBe(200);
    expect(await rowOf(server.deps.db, "leads", { id: lead?.id ?? "" })).toMatchObject({
      ...body,
      stage_entry_epoch: 2,
    });
    const history = await rowsOf(server.deps.db, "stage_history", { lead_id: lead?.id ?? "" });
    expect(history).toMatchObject([
      { from_stage_id: stageIds[0], to_stage_id: stageIds[2], reason: "manual", epoch: 2 },
    ]);
    const after = await totals();
    expect(after).toEqual({
      ...before,
      [stageIds[0] ?? ""]: (before[stageIds[0] ?? ""] ?? 0) - 1,
      [stageIds[2] ?? ""]: (before[stageIds[2] ?? ""] ?? 0) + 1,
    });
  });

  test("a stage change is taken back within a minute, follow-ups and last word included, and leaves no trace in the figures", async () => {
    const id = all.find((lead) => lead.stage_id === stageIds[1] && lead.followup_order_sent > 0)?.id ?? "";
    const read = async () => {
      const { stage_entry_epoch: _, ...row } = await rowOf(server.deps.db, "leads", { id });
      return row;
    };
    const undo = () => server.call("POST", `/api/leads/${id}/stage/undo`, { token: user.token });
    const move = () => server.call("PATCH", `/api/leads/${id}`, { token: user.token, body: { stage_id: stageIds[2] } });
    const before = await read();
    expect((await move()).status).toBe(200);
    expect((await undo()).status).toBe(200);
    expect(await read()).toEqual(before);
    expect(await rowsOf(server.deps.db, "stage_history", { lead_id: id })).toEqual([]);
    expect(await undo()).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
    await move();
    const at = new Date(Date.now() - 61_000).toISOString();
    await changeRows(server.deps.db, "stage_history", { lead_id: id }, { at });
    expect((await undo()).status).toBe(409);
    expect(await read()).toMatchObject({ stage_id: stageIds[2], followup_order_sent: 0 });
  });

  test("unknown fields and a stage that does not exist are refused, and nothing changes", async () => {
    const id = all[1]?.id;
    const patch = (body: unknown) => server.call("PATCH", `/api/leads/${id}`, { token: user.token, body });
    expect((await patch({ notes: "x", owner_id: user.userId })).status).toBe(422);
    expect((await patch({ stage_id: "00000000-0000-4000-8000-000000000000" })).status).toBe(422);
    expect((await patch({ stage_id: stageIds[0], followup_order_sent: 3 })).status).toBe(422);
  });
});
