import { afterEach, describe, expect, it, vi } from "vitest";
import { createAutomationGateway } from "../../src/services/automation.ts";
import { createBoardGateway } from "../../src/services/board.ts";
import { createBulkGateway } from "../../src/services/bulk.ts";
import { createChoicesGateway } from "../../src/services/choices.ts";
import { createFollowupsGateway } from "../../src/services/followups.ts";
import { createHttp } from "../../src/services/http.ts";
import { createOwnWrites } from "../../src/services/own-writes.ts";
import { createStagesGateway } from "../../src/services/stages.ts";
import { leadNumber } from "../support/leads.ts";
import { heldItem } from "../machines/dry-run.model.ts";

const http = createHttp({ baseURL: "/api", getSession: () => ({ accessToken: "token" }), refresh: async () => null });
const automation = createAutomationGateway(http);
const bulk = createBulkGateway(http);
const choices = createChoicesGateway(http);
const stages = createStagesGateway(http);
const followups = createFollowupsGateway(http);
const { signal } = new AbortController();
const start = "2026-11-15T00:00:00.000Z";

/** Answers every call with `answer` and keeps what was sent. */
function serve(answer: () => Response | Promise<Response>) {
  const sent: { call: string; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (input: Request | string, init: RequestInit = {}) => {
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : null;
    sent.push({ call: `${init.method ?? "GET"} ${typeof input === "string" ? input : input.url}`, body });
    return answer();
  });
  return sent;
}
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

afterEach(() => vi.unstubAllGlobals());

/** What came due in a dry run counts, whenever it was planned. */
const plannedBefore = {
  ...heldItem,
  planned_at: "2026-11-14T12:00:00.000Z",
  settled_at: "2026-11-15T09:00:00.000Z",
};
const heldBefore = { ...plannedBefore, id: "6", settled_at: "2026-11-14T13:00:00.000Z" };
const held = { state: "held", due_at: null, step: { id: "f1", order: 0, preview: "Hi" }, words: "You hold them." };
const figures = {
  targets: 2,
  reachable: 1,
  skipped: [{ reason: "opted_out", words: "They asked for no more messages.", count: 1 }],
  cold: 0,
  cold_left_today: 20,
  starts_at: start,
  finishes_at: null,
  unchecked: 0,
};

type Call = { call: string; body?: unknown; make: () => Promise<unknown>; answer: unknown; result?: unknown };

const preview = {
  scanned: 3,
  since: start,
  before: 1,
  after: 2,
  changes: [],
  changes_total: 0,
  overlaps: [],
  overlaps_total: 0,
  warnings: [],
};
const result = {
  followup_id: "f1",
  sent: 3,
  answered_24h: 1,
  answered_72h: 2,
  moved_on: 1,
  opted_out: 0,
  median_answer_minutes: null,
};
const settings = {
  time_zone: "Europe/Berlin",
  weekdays: [1, 2],
  dry_run: true,
  read_receipts: false,
  opt_out_words: ["stop"],
  exclude_contacts: false,
  language: "en",
};

/** What a server may not know: a screen works without it. */
const optional: Call[] = [
  {
    call: "GET /api/bulk/preflight?stage_id=s1&throttle=0.3&message_length=5",
    make: () => bulk.foresee({ stageId: "s1", throttle: "0.3", messageLength: 5 }, signal),
    answer: figures,
  },
  {
    call: "GET /api/bulk/preflight?throttle=0.3",
    make: () => bulk.foresee({ stageId: "", throttle: "0.3", messageLength: 0 }, signal),
    answer: figures,
  },
  { call: "GET /api/leads/l%2F1/automation", make: () => automation.read({ leadId: "l/1" }, signal), answer: held },
  {
    call: "GET /api/leads/l1/automation",
    make: () => automation.read({ leadId: "l1" }, signal),
    answer: { ...held, state: "a_state_of_next_year", until: start },
    result: { ...held, state: "a_state_of_next_year" },
  },
  {
    call: "POST /api/stages/preview",
    body: { stages: [{ name: "New", keywords: ["hi"], order: 1 }] },
    make: () => stages.preview({ stages: [{ name: "New", keywords: ["hi"], order: 1 }] }, signal),
    answer: preview,
  },
  {
    call: `GET /api/followups/results?from=${start}&to=${start}`,
    make: () => followups.results({ from: start, to: start }, signal),
    answer: [result],
  },
  { call: "GET /api/followups/results", make: () => followups.results({}, signal), answer: [result] },
  { call: "GET /api/settings", make: () => choices.readIfKnown(signal), answer: settings },
  { call: "GET /api/settings", make: () => choices.readDryRun(signal), answer: settings, result: true },
];
const needed: Call[] = [
  {
    call: "POST /api/leads/l1/automation",
    body: { action: "hold", until: start },
    make: () => automation.steer({ leadId: "l1", action: "hold", until: start }),
    answer: held,
  },
  {
    call: "POST /api/leads/l1/automation",
    body: { action: "resume" },
    make: () => automation.steer({ leadId: "l1", action: "resume" }),
    answer: held,
  },
  { call: "GET /api/settings", make: () => choices.read(signal), answer: settings },
  {
    call: "PATCH /api/settings",
    body: { time_zone: null, weekdays: [1] },
    make: () => choices.save({ time_zone: null, weekdays: [1] }),
    answer: settings,
  },
  {
    call: "PATCH /api/settings",
    body: { dry_run: true },
    make: () => choices.saveDryRun({ isOn: true }),
    answer: settings,
    result: true,
  },
  {
    call: "GET /api/ledger?state=would_send&limit=20",
    make: () => choices.listHeldBack({ since: start }, signal),
    answer: { items: [], next: "7" },
    result: { items: [], hasMore: true },
  },
  {
    call: "GET /api/ledger?state=would_send&limit=20",
    make: () => choices.listHeldBack({ since: start }, signal),
    answer: { items: [plannedBefore, heldBefore], next: "7" },
    result: { items: [plannedBefore], hasMore: false },
  },
];

describe("a call of the person's own automation", () => {
  it.each([...optional, ...needed])(
    "$call carries its promised body alone, and understands its answer",
    async (one) => {
      const sent = serve(() => json(one.answer));
      expect(await one.make()).toEqual(one.result ?? one.answer);
      expect(sent).toEqual([{ call: one.call, body: one.body ?? null }]);
    },
  );

  it.each(optional)("$call is told apart from a server that does not know it", async ({ make }) => {
    serve(() => json({ message: "There is nothing here.", code: "not_found" }, 404));
    expect(await make()).toEqual(null);
  });

  it.each([...optional, ...needed])(
    "$call refused or unanswered is a failure with the server's words, sent once",
    async ({ make }) => {
      for (const status of [401, 402, 403, 409, 422, 429, 500, 503]) {
        serve(() => json({ message: "No.", code: "no" }, status));
        await expect(make()).rejects.toMatchObject({ status, message: "No." });
      }
      const sent = serve(() => Promise.reject(new TypeError("Failed to fetch")));
      await expect(make()).rejects.toMatchObject({ status: null });
      expect(sent).toHaveLength(1);
    },
  );

  it.each([...optional, ...needed])(
    "$call answered with nonsense never reaches the screen as data",
    async ({ make }) => {
      for (const answer of [() => new Response("{"), () => new Response("<h1>Hello</h1>"), () => json("yes")]) {
        serve(answer);
        await expect(make()).rejects.toBeInstanceOf(Error);
      }
    },
  );
});

it("a board that was answered before a card moved has the card, the numbers and the sums where it moved to", async () => {
  const stage = (id: string) => ({ id, name: id, color: "#999999", order: 1, keywords: [] });
  const lead = (id: string, worth: number) => ({ ...leadNumber(1), id, stage_id: "s1", fields: { f1: worth } });
  const writes = createOwnWrites();
  serve(async () => {
    await new Promise((resolve) => setTimeout(resolve));
    writes.settle("l1", { stage_id: "s2" });
    return json({
      columns: [
        { stage_id: "s1", total: 2, value: 50, leads: [lead("l1", 20), lead("l2", 30)] },
        { stage_id: "s2", total: 0, value: 0, leads: [] },
      ],
    });
  });
  const asked = Object.assign(
    (async (path: string, options?: object) => {
      if (path === "/fields") return [{ id: "f1", name: "Worth", is_value: true }];
      return http(path, options);
    }) as typeof http,
    { raw: http.raw },
  );
  const board = createBoardGateway(asked, {
    listStages: async () => [stage("s1"), stage("s2")],
    list: async () => ({ leads: [], total: 0 }),
    reading: writes.reading,
  });
  const { columns } = await board.read({ filters: {}, lengths: {} }, signal);
  expect(columns.map(({ total, value, leads }) => [total, value, leads.map(({ id }) => id)])).toEqual([
    [1, 30, ["l2"]],
    [1, 20, ["l1"]],
  ]);
});
