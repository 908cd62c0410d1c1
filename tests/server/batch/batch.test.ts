import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BATCH_INLINE_MAX, type BatchAction, type BatchAnswer, type BatchJob } from "../../../domain/batch.ts";
import { startBatch } from "../../../server/batch/start.ts";
import { answerBatch } from "../../../server/batch/routes.ts";
import { workSlice } from "../../../server/batch/work.ts";
import { startBatchWorker, tidyBatches } from "../../../server/batch/worker.ts";
import { fingerprintOf } from "../../../server/core/request-keys.ts";
import { RESET } from "../../support/leads.ts";
import { addAuthUser } from "../../support/parts.ts";
import { addRow, addRows, changeRows, removeRows, rowOf, rowsOf } from "../../support/rows.ts";
import { ownEngine } from "../../support/engine.ts";

const engine = await ownEngine();
const { db } = engine.deps;
const worker = startBatchWorker(engine.deps);
afterAll(() => worker.stop());
let user: { id: string };
let stages: string[];
let tags: string[];
let firstPerson = 1_000_000;

beforeEach(async () => {
  user = await addAuthUser(db);
  const own = { owner_id: user.id };
  const rows = ["New", "Interested", "Won"].map((name, index) => ({ ...own, name, order: index + 1 }));
  stages = (await addRows(db, "stages", rows)).map(({ id }) => id);
  const named = ["Hot", "Cold"].map((name) => ({ ...own, name, color: "#112233", created_at: engine.clock.iso() }));
  tags = (await addRows(db, "tags", named)).map(({ id }) => id);
});

/** Adds leads of the user in the first stage, each with tags, fields and everything else a lead can have. */
async function addLeads(count: number): Promise<string[]> {
  const before = firstPerson;
  firstPerson += count;
  const { rows } = await sql<{ id: string }>`
    with l as (
      insert into leads (owner_id, telegram_user_id, name, stage_id, created_at, stage_entered_at, followup_order_sent, last_followup_sent_at,
        last_user_message_at, last_message_at, last_inbound_at)
      select ${user.id}::uuid, ${before}::bigint + n, 'Lead ' || n, ${stages[0]}::uuid, '2026-01-01'::timestamptz + n * interval '1 second',
        '2026-01-02', n % 3, case when n % 3 > 0 then '2026-01-03'::timestamptz end, '2026-01-01 12:00', '2026-01-04', '2026-01-01 12:00'
      from generate_series(1, ${count}::int) n returning id, owner_id, stage_id, created_at
    ), h as (
      insert into stage_history (owner_id, lead_id, to_stage_id, reason, epoch, at)
      select owner_id, id, stage_id, 'entered', 1, created_at from l
    ), t as (
      insert into lead_tags (owner_id, tag_id, lead_id) select owner_id, ${tags[1]}::uuid, id from l where ascii(id::text) % 2 = 0
    )
    select id from l order by id`.execute(db);
  return rows.map(({ id }) => id);
}

type Small = { changed: number; left: number; undo_id: string | null };
const post = <T = BatchAnswer>(path: string, body: object = {}, headers: Record<string, string> = {}) =>
  engine.call<T>(user, "POST", `/leads/batch${path}`, body, headers);
const job = async (id: string) => (await engine.call<BatchJob>(user, "GET", `/leads/batch/${id}`)).body;
const ended = async (id: string) => {
  await engine.idle();
  return job(id);
};
const order = (action: BatchAction, { key = null as string | null, fingerprint = "" } = {}) =>
  startBatch(engine.deps, { ownerId: user.id, key, fingerprint }, { where: { query: {} }, action });
const slice = (id: string) => workSlice(engine.deps, id, { size: 250, publishedAt: -Infinity, lane: 0 });
const change = (leadId: string, path: string, body: object, method: "POST" | "PATCH" = "POST") =>
  engine.call(user, method, `/leads/${leadId}${path}`, body);

/** Returns every field of the user's leads except the stage entry number: an undo increments it. */
async function stored(): Promise<unknown> {
  const of = async (table: string, but: string[] = []) => {
    const row = but.reduce((json, column) => sql`${json} - ${column}::text`, sql`to_jsonb(t)`);
    const { rows } = await sql<{ print: string }>`
      select md5(string_agg((${row})::text, '|' order by (${row})::text)) as print
      from ${sql.table(table)} t where t.owner_id = ${user.id}::uuid`.execute(db);
    return rows[0]?.print ?? null;
  };
  return {
    leads: await of("leads", ["stage_entry_epoch"]),
    history: await of("stage_history"),
    events: await of("lead_events"),
    tags: await of("lead_tags"),
    totals: await of("lead_totals"),
    due: await of("lead_due"),
    exclusions: await of("exclusions"),
  };
}

test("changes exactly the given leads, and restores every field on undo within 30 s", async () => {
  const ids = await addLeads(9);
  const [other] = await addLeads(1);
  const half = ids.slice(0, 6);
  await sql`update leads set held_at = '2026-01-05', held_until = '2099-01-01', opted_out_at = '2026-01-06'
    where id = any(${ids.slice(3)}::uuid[])`.execute(db);
  await sql`update leads set held_at = stage_entered_at, held_from = gen_random_uuid()
    where id = any(${ids.slice(1, 3)}::uuid[])`.execute(db);
  await changeRows(db, "leads", { id: ids[5] }, { stage_id: null });
  // A total of 0 means the same as no row.
  await addRow(db, "lead_totals", { owner_id: user.id, stage_id: stages[1] ?? "", total: 0 });
  const cold = (await rowsOf(db, "lead_tags", { tag_id: tags[1] }, ["lead_id"])).filter((row) =>
    half.includes(row.lead_id),
  );
  const actions: [string, object, number][] = [
    ["move", { stage_id: stages[1] }, 6],
    ["tag", { tag_ids: tags }, 6],
    ["untag", { tag_ids: [tags[1]] }, cold.length],
    ["hold", {}, 6],
    ["resume", {}, 5],
    ["exclude", {}, 6],
  ];
  for (const [type, more, changed] of actions) {
    const action = { type, ...more };
    const before = await stored();
    const { status, body } = await post<Small>("", { where: { ids: [...half, randomUUID()] }, action });
    expect([type, status, body.changed]).toEqual([type, 200, changed]);
    if (changed === 0) continue;
    expect(await stored()).not.toEqual(before);
    const over = { status: "completed", total: 6, done: 6, undo_id: body.undo_id };
    expect(await job(body.undo_id ?? "")).toMatchObject(over);
    const undone = await post<Small>(`/${body.undo_id}/undo`);
    expect([undone.status, undone.body]).toEqual([200, { changed, left: 0, undo_id: null }]);
    expect({ [type]: await stored() }).toEqual({ [type]: before });
    expect((await post(`/${body.undo_id}/undo`)).body).toEqual(undone.body);
  }
  expect(await rowOf(db, "leads", { id: other })).toMatchObject({ stage_entry_epoch: 1 });
});

test("skips leads that changed in the meantime on undo, and counts them", async () => {
  const ids = await addLeads(4);
  const [moved = "", held = "", wrote = "", gone = ""] = ids;
  const { body: move } = await post<Small>("", { where: { ids }, action: { type: "move", stage_id: stages[1] } });
  await change(moved, "", { stage_id: stages[2], ...RESET }, "PATCH");
  await change(held, "/automation", { action: "hold" });
  await changeRows(db, "leads", { id: wrote }, { last_user_message_at: "2026-03-01", last_inbound_at: "2026-03-01" });
  await change(gone, "/exclude", {});
  expect((await post<Small>(`/${move.undo_id}/undo`)).body).toEqual({ changed: 2, left: 2, undo_id: null });
  const { rows } = await sql`select id, stage_id, held_at is not null as held, last_user_message_at from leads
    where owner_id = ${user.id}::uuid order by id`.execute(db);
  expect(rows).toEqual([
    { id: moved, stage_id: stages[2], held: false, last_user_message_at: null },
    { id: held, stage_id: stages[0], held: true, last_user_message_at: "2026-01-01T12:00:00Z" },
    { id: wrote, stage_id: stages[0], held: false, last_user_message_at: "2026-03-01T00:00:00Z" },
  ]);
});

test("keeps leads held when a hold is undone after their stage was deleted", async () => {
  const ids = await addLeads(1);
  const { body } = await post<Small>("", { where: { ids }, action: { type: "hold" } });
  await engine.call(user, "DELETE", `/stages/${stages[0]}`);
  expect((await post<Small>(`/${body.undo_id}/undo`)).body).toEqual({ changed: 0, left: 1, undo_id: null });
  const held = { held_at: expect.any(String), held_until: null, held_from: stages[0] };
  expect(await rowOf(db, "leads", { id: ids[0] })).toMatchObject(held);
});

test.each(["hold", "resume"])(
  "skips a lead of a deleted stage when it has moved before the undo of a %s",
  async (type) => {
    const [moved = "", stays = ""] = await addLeads(2);
    await engine.call(user, "DELETE", `/stages/${stages[0]}`);
    const ids = [moved, stays];
    // As if the user had sent two steps.
    await sql`update leads set followup_order_sent = 2 where id = any(${ids}::uuid[])`.execute(db);
    const { body } = await post<Small>("", { where: { ids }, action: { type } });
    await change(moved, "", { stage_id: stages[2], ...RESET }, "PATCH");
    expect((await post<Small>(`/${body.undo_id}/undo`)).body).toEqual({ changed: 1, left: 1, undo_id: null });
    const row = (id: string) => rowOf(db, "leads", { id });
    expect(await row(moved)).toMatchObject({ stage_id: stages[2], followup_order_sent: 0, held_from: null });
    expect(await row(stays)).toMatchObject({ stage_id: stages[1], followup_order_sent: 2, held_from: stages[0] });
  },
);

test("opts a moved lead of a deleted stage out again when a resume is undone", async () => {
  const [id = ""] = await addLeads(1);
  await engine.call(user, "DELETE", `/stages/${stages[0]}`);
  await changeRows(db, "leads", { id }, { opted_out_at: "2026-01-06" });
  const { body } = await post<Small>("", { where: { ids: [id] }, action: { type: "resume" } });
  await change(id, "", { stage_id: stages[2], ...RESET }, "PATCH");
  expect((await post<Small>(`/${body.undo_id}/undo`)).body).toMatchObject({ changed: 1, left: 0 });
  const optedOut = { opted_out_at: "2026-01-06T00:00:00Z", held_at: null, held_from: null };
  expect(await rowOf(db, "leads", { id })).toMatchObject(optedOut);
});

test("runs once per Idempotency-Key, and allows no undo after 30 s", async () => {
  const ids = await addLeads(3);
  const order = { where: { ids }, action: { type: "tag", tag_ids: [tags[0]] } };
  const first = await post<Small>("", order, { "idempotency-key": "once" });
  expect(await post("", order, { "idempotency-key": "once" })).toMatchObject({ status: 200, body: first.body });
  expect((await post("", { ...order, action: { type: "hold" } }, { "idempotency-key": "once" })).status).toBe(422);
  await engine.advance(31);
  expect(await post(`/${first.body.undo_id}/undo`)).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
  expect((await job(first.body.undo_id ?? "")).undo_id).toBe(null);
  await tidyBatches(engine.deps);
  expect(await rowsOf(db, "lead_batch_targets", { batch_id: first.body.undo_id })).toEqual([]);
});

test("refuses an invalid request or an unknown id before any change", async () => {
  const [id] = await addLeads(1);
  const before = await stored();
  const where = { ids: [id] };
  const none = "00000000-0000-4000-8000-000000000000";
  const refused: object[] = [
    {},
    { where, action: { type: "shout" } },
    { where, action: { type: "move" } },
    { where, action: { type: "move", stage_id: none } },
    { where, action: { type: "tag", tag_ids: [] } },
    { where, action: { type: "tag", tag_ids: [tags[0], none] } },
    { where, action: { type: "hold", until: "2001-01-01T00:00:00Z" } },
    { where, action: { type: "hold", until: "soon" } },
    { where, action: { type: "resume", until: "2099-01-01T00:00:00Z" } },
    { where: { ids: [] }, action: { type: "hold" } },
    { where: { ids: ["nobody"] }, action: { type: "hold" } },
    { where: { query: "awaiting_reply=perhaps" }, action: { type: "hold" } },
    { where: { query: "colour=red" }, action: { type: "hold" } },
    { where: { ...where, query: "" }, action: { type: "hold" } },
    { where, action: { type: "hold" }, also: 1 },
  ];
  for (const body of refused) expect([body, (await post("", body)).status]).toEqual([body, 422]);
  expect(await stored()).toEqual(before);
});

test("continues a batch after its process was killed, with a complete undo", async () => {
  const count = 600;
  await addLeads(count);
  const before = await stored();
  const { id } = await order({ type: "move", stage_id: stages[1] ?? "" });
  await slice(id);
  const half = await job(id);
  expect(half).toMatchObject({ status: "in_progress", total: count, undo_id: null });
  expect(half.done).toBeGreaterThan(0);
  expect(half.done).toBeLessThan(count);
  expect((await post(`/${id}/undo`)).status).toBe(409);
  // A lead added now is not part of the batch.
  const [late = ""] = await addLeads(1);
  await engine.deps.bus.publish("batch.requested", { owner_id: user.id });
  const end = { status: "completed", done: count, total: count, changed: count, left: 0, error: null };
  expect(await ended(id)).toEqual({ ...end, undo_id: id, undo_until: expect.any(String) });
  expect(await rowsOf(db, "leads", { stage_id: stages[0] }, ["id"])).toEqual([{ id: late }]);
  expect(await rowsOf(db, "leads", { stage_id: stages[1] }, ["id"])).toHaveLength(count);
  await removeRows(db, "leads", { id: late });
  expect((await post<Small>(`/${id}/undo`)).body).toEqual({ changed: count, left: 0, undo_id: null });
  expect(await stored()).toMatchObject({ ...(before as object), totals: expect.anything() });
});

test("turns a slow batch into a background job", async () => {
  await addLeads(1_200);
  const orders: unknown[] = [];
  const off = engine.deps.bus.on("batch.requested", (order) => orders.push(order));
  const ordered = await order({ type: "hold" });
  expect(await answerBatch(engine.deps, user.id, ordered, 0)).toEqual({ job_id: ordered.id });
  expect(await ended(ordered.id)).toMatchObject({ status: "completed", changed: 1_200 });
  expect(orders).toContainEqual({ owner_id: user.id });
  off();
});

test("says how far an interrupted batch came, and why it stopped", async () => {
  await addLeads(600);
  const action = { type: "tag" as const, tag_ids: [tags[0] ?? ""] };
  const fingerprint = fingerprintOf("batch", JSON.stringify({ where: { query: {} }, action }));
  const { id } = await order(action, { key: "halfway", fingerprint });
  await slice(id);
  await engine.call(user, "DELETE", `/tags/${tags[0]}`);
  const error = "The tags were deleted meanwhile, so the rest was not tagged.";
  const repeated = await post("", { where: { query: "" }, action }, { "idempotency-key": "halfway" });
  expect(repeated).toMatchObject({ status: 200, body: { changed: 250, undo_id: id, error } });
});

test("runs more than 5,000 leads as a job with progress and cancel", async () => {
  const count = BATCH_INLINE_MAX + 1;
  await addLeads(count);
  const nothing = await post<{ job_id: string }>("", { where: { query: "" }, action: { type: "resume" } });
  expect([nothing.status, Object.keys(nothing.body)]).toEqual([202, ["job_id"]]);
  const none = { changed: 0, left: 0, undo_id: null, undo_until: null, error: null };
  expect(await ended(nothing.body.job_id)).toEqual({ ...none, status: "completed", done: count, total: count });
  const action = { type: "tag", tag_ids: [tags[0]] };
  const stopped = await post<{ job_id: string }>("", { where: { query: "" }, action });
  const path = `/leads/batch/${stopped.body.job_id}`;
  expect([stopped.status, (await engine.call(user, "DELETE", path)).status]).toEqual([202, 200]);
  const end = await job(stopped.body.job_id);
  expect(["cancelled", "completed"]).toContain(end.status);
  expect(await rowsOf(db, "lead_tags", { tag_id: tags[0] }, ["lead_id"])).toHaveLength(end.changed);
});
