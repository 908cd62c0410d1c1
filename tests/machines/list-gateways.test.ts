import { afterEach, describe, expect, it, vi } from "vitest";
import { createFollowupsGateway } from "../../src/services/followups.ts";
import { createHttp } from "../../src/services/http.ts";
import { createLeadsGateway } from "../../src/services/leads.ts";
import { createRemindersGateway } from "../../src/services/reminders.ts";
import { createSettingsGateway } from "../../src/services/settings.ts";
import { createStagesGateway } from "../../src/services/stages.ts";
import { picture } from "../support/followups.ts";

const http = createHttp({ baseURL: "/api", getSession: () => ({ accessToken: "token" }), refresh: async () => null });
const leads = createLeadsGateway(http);
const stages = createStagesGateway(http);
const followups = createFollowupsGateway(http);
const settings = createSettingsGateway(http);
const reminders = createRemindersGateway(http);
const { signal } = new AbortController();

type Sent = { method: string; path: string; body: unknown; token: string | null };

/** Answers every call with `answer` and keeps what was sent; form fields become a plain object. */
function serve(answer: () => Response | Promise<Response>): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (input: Request | string, init: RequestInit = {}) => {
    const { body } = init;
    sent.push({
      method: init.method ?? "GET",
      path: typeof input === "string" ? input : input.url,
      body: body instanceof FormData ? Object.fromEntries(body) : typeof body === "string" ? JSON.parse(body) : null,
      token: new Headers(init.headers).get("authorization"),
    });
    return answer();
  });
  return sent;
}
const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

afterEach(() => vi.unstubAllGlobals());

const media = picture(3);
const reads: [name: string, call: () => Promise<unknown>, answer: unknown][] = [
  ["GET /leads", () => leads.list({ limit: 50, offset: 0 }, signal), { leads: [], total: 0 }],
  ["GET /stages", () => stages.list(signal), []],
  ["GET /followups", () => followups.list(signal), []],
  ["GET /followups/overdue", () => followups.overdue(signal), { total: 0, leads: [] }],
  ["GET /user_settings", () => settings.read(signal), {}],
  ["GET /reminders", () => reminders.list(signal), []],
];
const reminder = { type: "stuck", stage: "A", delay_days: 2, channel_id: "me", template: "Hi" };
const stage = { name: "A", keywords: ["a"], order: 1, color: "#999999" };
const automation = { auto_followups_enabled: true, auto_followup_start_hour: 9, auto_followup_end_hour: 22 };
const newFollowup = { stage_id: "s 1", message: "Hi", followup_order: 0, delay_hours: 24 };
const move = { stage_id: "s1", followup_order_sent: 0, last_followup_sent_at: null, last_user_message_at: null };
const writes: [name: string, call: () => Promise<unknown>, body: unknown][] = [
  ["PATCH /leads/l%2F1", () => leads.saveNotes({ leadId: "l/1", notes: "", over: "" }), { notes: "" }],
  ["PATCH /leads/l1", () => leads.changeStage({ leadId: "l1", stageId: "s1" }), move],
  ["POST /leads/l%2F1/stage/undo", () => leads.undoStage({ leadId: "l/1" }), null],
  ["POST /stages", () => stages.create(stage), stage],
  ["PATCH /stages/s1", () => stages.update({ id: "s1", ...stage }), stage],
  ["PATCH /stages/s1", () => stages.setOrder({ id: "s1", order: 2 }), { order: 2 }],
  ["DELETE /stages/s1", () => stages.remove({ id: "s1" }), null],
  [
    "PATCH /followups/f1",
    () => followups.change({ id: "f1", message: "Hi", delay_hours: 3 }),
    { message: "Hi", delay_hours: 3 },
  ],
  ["PATCH /followups/f1", () => followups.setOrder({ id: "f1", followup_order: 0 }), { followup_order: 0 }],
  ["DELETE /followups/f1", () => followups.remove({ id: "f1" }), null],
  ["POST /user_settings", () => settings.save(automation), automation],
  ["POST /reminders", () => reminders.add(reminder), reminder],
  ["PATCH /reminders/r1", () => reminders.setEnabled({ id: "r1", isEnabled: false }), { is_enabled: false }],
  ["DELETE /reminders/r1", () => reminders.remove({ id: "r1" }), null],
];
const answeredAdd = { id: "f1", stage_id: "s 1", message: "Hi", followup_order: 0 };

const refusals = [401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503];
const nonsense: [string, () => Response][] = [
  ["bad JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
  ["an HTML page", () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } })],
  ["the wrong type", () => json("yes")],
  ["rows of the wrong type", () => json({ leads: [7], total: "many", auto_followups_enabled: "maybe" })],
  ["nothing where something is due", () => json(null)],
];

it("overdue follow-ups are confirmed for the leads named, or for all", async () => {
  const sent = serve(() => json({ planned: 3 }));
  expect(await followups.confirmOverdue({ leadIds: ["l1"] })).toEqual(3);
  await followups.confirmOverdue({ leadIds: null });
  expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
    ["POST", "/api/followups/overdue/confirm", { lead_ids: ["l1"] }],
    ["POST", "/api/followups/overdue/confirm", {}],
  ]);
});

describe("a call as it goes out", () => {
  it.each([...reads, ...writes])(
    "%s carries the token and nothing beside its promised body",
    async (name, call, body) => {
      const sent = serve(() => json(name.startsWith("GET") ? body : {}));
      await call();
      const [method, path] = name.split(" ");
      const known = sent.map((one) => ({ ...one, path: one.path.replace(/\?.*/, "") }));
      const expected = {
        method,
        path: `/api${path}`,
        body: name.startsWith("GET") ? null : body,
        token: "Bearer token",
      };
      expect(known).toEqual([expected]);
    },
  );

  it("leaves out filters that are blank and keeps a follow-up number of 0", async () => {
    const sent = serve(() => json({ leads: [], total: 0 }));
    await leads.list({ limit: 50, offset: 0, name: "ada & co", stage_id: "", followup_order_sent: "0" }, signal);
    expect(sent[0]?.path).toEqual("/api/leads?limit=50&offset=0&name=ada+%26+co&followup_order_sent=0");
  });

  it("adds a follow-up as multipart, with its file only when there is one", async () => {
    const sent = serve(() => json(answeredAdd));
    await followups.add({ ...newFollowup, media: null });
    await followups.add({ ...newFollowup, media });
    const fields = { stage_id: "s 1", message: "Hi", followup_order: "0", delay_hours: "24" };
    expect(sent.map((one) => one.body)).toEqual([fields, { ...fields, media: expect.any(File) }]);
  });
});

describe("a call that goes wrong", () => {
  const all = [...reads, ...writes, ["POST /followups", () => followups.add({ ...newFollowup, media }), null]] as const;

  it.each(all.flatMap(([name, call]) => refusals.map((status) => [name, status, call] as const)))(
    "%s answered %i is a failure with the server's words",
    async (_name, status, call) => {
      serve(() => json({ message: "No.", code: "no" }, status));
      await expect(call()).rejects.toMatchObject({ status, message: "No." });
    },
  );

  it.each(all)("%s without an answer is a failure, sent once", async (_name, call) => {
    const sent = serve(() => Promise.reject(new TypeError("Failed to fetch")));
    await expect(call()).rejects.toMatchObject({ status: null });
    expect(sent).toHaveLength(1);
  });

  // Settings have a default for each field that is left out, and so for all of them.
  const unreadable = reads
    .flatMap(([name, call]) => nonsense.map(([what, answer]) => [name, what, call, answer] as const))
    .filter(([name, what]) => name !== "GET /user_settings" || what !== "nothing where something is due");
  it.each(unreadable)("%s answered with %s never reaches the screen as data", async (_name, _what, call, answer) => {
    serve(answer);
    await expect(call()).rejects.toBeInstanceOf(Error);
  });

  it.each(writes.flatMap(([name, call]) => nonsense.map(([what, answer]) => [name, what, call, answer] as const)))(
    "%s answered 200 with %s counts as done",
    async (_name, _what, call, answer) => {
      serve(answer);
      await expect(call()).resolves.not.toThrow();
    },
  );
});

describe("sending a follow-up by hand", () => {
  const send = () => followups.send({ leadId: "l1", step: "s1:0" });

  it("has no body, and is sent with 200 alone, whatever the answer holds", async () => {
    for (const [, answer] of nonsense) {
      const sent = serve(answer);
      expect(await send()).toEqual({ kind: "sent" });
      expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
        ["POST", "/api/followups/send/l1", null],
      ]);
    }
    serve(() => json({}, 202));
    expect(await send()).toEqual({ kind: "refused", reason: null });
  });

  it.each(refusals)("answered %i is refused with the server's reason", async (status) => {
    serve(() => json({ message: "No step left.", code: "no_step_left" }, status));
    expect(await send()).toEqual({ kind: "refused", reason: "No step left." });
  });

  it("without an answer fails", async () => {
    serve(() => Promise.reject(new TypeError("Failed to fetch")));
    await expect(send()).rejects.toMatchObject({ status: null });
  });
});

describe("an answer's gaps", () => {
  it("leave settings at 9 to 22 and switched off", async () => {
    serve(() => json(null));
    expect(await settings.read(signal)).toEqual({
      auto_followups_enabled: false,
      auto_followup_start_hour: 9,
      auto_followup_end_hour: 22,
    });
  });

  it("are filled with the defaults: 24 hours, grey, no follow-up sent, enabled", async () => {
    serve(() => json([{ id: 7, stage_id: 3, message: "Hi", delay_hours: null }]));
    expect(await followups.list(signal)).toMatchObject([
      { id: "7", stage_id: "3", followup_order: 0, delay_hours: 24 },
    ]);
    serve(() =>
      json([
        { id: 2, name: "B", order: 2 },
        { id: 1, name: "A", order: 1, keywords: "a, b" },
      ]),
    );
    expect(await stages.list(signal)).toEqual([
      { id: "1", name: "A", order: 1, color: "#999999", keywords: ["a", "b"] },
      { id: "2", name: "B", order: 2, color: "#999999", keywords: [] },
    ]);
    serve(() => json({ leads: [{ id: 1, stage_id: 2, followup_order_sent: -3 }], total: 1 }));
    expect((await leads.list({ limit: 50, offset: 0 }, signal)).leads).toMatchObject([
      { id: "1", stage_id: "2", followup_order_sent: 0, name: null, notes: null },
    ]);
    serve(() => json([{ id: 1, stage: "A", channel_id: -100 }]));
    expect(await reminders.list(signal)).toMatchObject([
      { id: "1", delay_days: 2, is_enabled: true, channel_id: -100, type: "stuck" },
    ]);
  });
});

describe("a reading beside a write", () => {
  const lead = { id: "l1", name: "Ada", stage_id: "s1", notes: "old", followup_order_sent: 2, created_at: null };
  /** Answers in the order given, whenever it is told to. */
  function hold() {
    const held: ((answer: Response) => void)[] = [];
    vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => held.push(resolve)));
    const reached = (index: number) => vi.waitFor(() => expect(held[index]).toBeDefined());
    const answer = async (index: number, response: Response) => {
      await reached(index);
      held[index]?.(response);
    };
    return Object.assign(answer, { reached });
  }

  it("that was answered before the write keeps what was written", async () => {
    const answer = hold();
    const list = leads.list({ limit: 50, offset: 0 }, signal);
    const one = leads.read({ leadId: "l1" }, signal);
    await answer(1, json(null, 405));
    expect(await one).toEqual(null);
    const saving = leads.saveNotes({ leadId: "l1", notes: "new", over: "old" });
    const moving = leads.changeStage({ leadId: "l1", stageId: "s2" });
    await answer(2, json(null));
    await answer(3, json(null));
    await Promise.all([saving, moving]);
    await answer(0, json({ leads: [lead], total: 1 }));
    expect((await list).leads).toMatchObject([{ notes: "new", stage_id: "s2", followup_order_sent: 0 }]);
  });

  it("shows a note that is still on its way, and no longer one that was refused", async () => {
    const answer = hold();
    const saving = leads.saveNotes({ leadId: "l1", notes: "new", over: "old" });
    await answer.reached(0);
    const first = leads.read({ leadId: "l1" }, signal);
    await answer(1, json(lead));
    expect(await first).toMatchObject({ notes: "new" });
    await answer(0, json({ message: "no", code: "invalid" }, 422));
    await expect(saving).rejects.toThrow("no");
    const second = leads.read({ leadId: "l1" }, signal);
    await answer(2, json(lead));
    expect(await second).toMatchObject({ notes: "old" });
  });
});
