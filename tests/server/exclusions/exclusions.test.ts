import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { BulkJob } from "../../../domain/bulk.ts";
import type { ChatImport } from "../../../domain/chat-import.ts";
import type { Exclusion, ExclusionEnd } from "../../../domain/exclusion.ts";
import type { LedgerPage } from "../../../domain/ledger.ts";
import type { Stage } from "../../../domain/stage.ts";
import { LEAD_DEPENDENT_TABLES } from "../../../server/exclusions/exclude.ts";
import { newLead, newStep, startTestEngine } from "../../support/engine.ts";
import { newSeller } from "../conversation/support.ts";
import { rowOf, rowsOf, tracesOf } from "../../support/rows.ts";
import { ownServer } from "../../support/server.ts";

const server = await ownServer();
const { db, clock } = server.deps;
const seller = await newSeller(server);
const { call } = seller;

const exclude = (leadId: string) => call<Exclusion>("POST", `/leads/${leadId}/exclude`, {});
const restore = (person: number | string) => call<ExclusionEnd>("DELETE", `/exclusions/${person}`);
const exclusions = () => seller.get<Exclusion[]>("/api/exclusions");
const listed = async () =>
  (await seller.get<{ leads: { id: string }[] }>("/api/leads?limit=1000")).leads.map(({ id }) => id);

/** Returns every stored field of a lead and its conversation. */
async function storedOf(leadId: string, person: number): Promise<unknown> {
  const stored: Record<string, unknown> = {};
  for (const table of ["leads", "lead_due", ...LEAD_DEPENDENT_TABLES.map(({ table: name }) => name), "outbox"]) {
    const column = table === "leads" ? "id" : "lead_id";
    const { rows } = await sql<{ rows: unknown }>`
      select jsonb_agg(to_jsonb(t) order by t::text) as rows from ${sql.table(table)} t
      where ${sql.ref(column)} = ${leadId}::uuid`.execute(db);
    stored[table] = rows[0]?.rows ?? null;
  }
  const { rows } = await sql<{ rows: unknown }>`select jsonb_agg(to_jsonb(m) order by id) as rows from messages m
    where peer_user_id = ${person}::bigint`.execute(db);
  return { ...stored, messages: rows[0]?.rows };
}

const send = async (message: string) =>
  (await call<{ job_id: string }>("POST", "/bulk", { message, throttle: "10" })).body.job_id;
const bulk = (id: string) => seller.get<BulkJob>(`/api/bulk/${id}`);
const totals = () => db.selectFrom("lead_totals").selectAll().orderBy("stage_id").execute();

test("keeps rows of every table that depends on a lead for undo", async () => {
  const { rows } = await sql<{ name: string }>`select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'public.leads'::regclass order by 1`.execute(db);
  // Triggers rebuild the search words of a restored lead.
  const staying = [...LEAD_DEPENDENT_TABLES.map(({ table }) => table), "lead_words"];
  // A separate trigger deletes the history.
  expect([...rows.map(({ name }) => name), "stage_history"].toSorted()).toEqual(staying.toSorted());
});

test("removes an excluded lead at once, and restores every field on undo", async () => {
  const zoe = await seller.receive({ first_name: "Zoe", username: "zoe_w" }, "what is the price?");
  const other = await seller.receive({ first_name: "Otto" }, "hello");
  const [first] = await seller.get<Stage[]>("/api/stages");
  const step = { stage_id: first?.id ?? "", message: "Well?", delay_hours: "5" };
  await call("POST", "/followups", step);
  await call("PATCH", `/leads/${zoe.lead}`, { notes: "likes tea" });
  const until = new Date(clock.now() + 86_400_000).toISOString();
  await call("POST", `/leads/${zoe.lead}/automation`, { action: "hold", until });
  await sql`select refresh_due(array[${zoe.lead}::uuid])`.execute(db);
  const before = await storedOf(zoe.lead, zoe.user_id);
  const total = await totals();

  const { status, body } = await exclude(zoe.lead);
  const person = { telegram_user_id: String(zoe.user_id), name: "Zoe", username: "zoe_w" };
  expect([status, body]).toMatchObject([200, { ...person, undo_until: expect.any(String) }]);
  expect(Date.parse(body.undo_until ?? "") - Date.parse(body.excluded_at)).toBe(30_000);
  expect(await listed()).toEqual([other.lead]);
  const inbox = await seller.inbox("?view=all&limit=50");
  expect(inbox.items.map(({ lead }) => lead.id)).toEqual([other.lead]);
  for (const path of ["", "/messages", "/story", "/automation"])
    expect((await call("GET", `/leads/${zoe.lead}${path}`)).status).toBe(404);
  expect((await exclude(zoe.lead)).status).toBe(404);
  expect(await exclusions()).toEqual([body]);

  // A later message from another person shows that these were processed.
  const from = { user_id: zoe.user_id, first_name: "Zoe" };
  await seller.callSandbox("/receive", { from, text: "more" });
  await seller.callSandbox(`/messages/${zoe.message_id}`, { text: "edited away" }, "PATCH");
  await seller.callSandbox("/send", { to_user_id: zoe.user_id, text: "from my phone" });
  await server.receive(seller.phone, { user_id: other.user_id, first_name: "Otto" }, "still here");
  expect(await tracesOf(db, ["more", "edited away", "from my phone"])).toEqual({});

  expect((await restore(zoe.user_id)).body).toEqual({ lead_id: zoe.lead });
  expect(await storedOf(zoe.lead, zoe.user_id)).toEqual(before);
  expect(await totals()).toEqual(total);
  expect(await exclusions()).toEqual([]);
  expect((await restore(zoe.user_id)).status).toBe(404);
  await server.receive(seller.phone, from, "I am back");
  expect((await seller.messages(zoe.lead)).map(({ text }) => text)).toEqual(["I am back", "what is the price?"]);
});

test("stops planned sends, and resumes them on undo", async () => {
  const job = await send("One for all");
  await server.idle();
  const left = await rowsOf(db, "outbox", { job_id: job, state: "pending" }, ["lead_id"]);
  expect(left).toHaveLength(1);
  const waiting = left[0]?.lead_id ?? "";
  const { body } = await exclude(waiting);
  await server.advance(15);
  const { items } = await seller.get<LedgerPage>(`/api/ledger?lead_id=${waiting}`);
  expect(items.map(({ lead, excerpt }) => [lead, excerpt])).toEqual([[null, null]]);
  const sent = async () =>
    (await seller.callSandbox<{ text: string }[]>("/sent")).filter(({ text }) => text === "One for all").length;
  expect(await sent()).toBe(1);
  await restore(body.telegram_user_id);
  await server.idle();
  expect(await sent()).toBe(2);
  expect((await bulk(job)).status).toBe("completed");
});

test("records a message sent during an exclusion when the exclusion is undone", async () => {
  const engine = await startTestEngine();
  onTestFinished(() => engine.stop());
  const owner = await engine.newSeller();
  for (const [order, message] of ["First", "Second"].entries()) await newStep(engine, owner, { message, order });
  const lead = await newLead(engine, owner);
  const telegram = await engine.telegramOf(owner, { slowMs: 5_000 });
  const sendNext = async () => (await engine.call(owner, "POST", `/followups/send/${lead.id}`)).status;
  const first = sendNext();
  await engine.clock.passUntil(() => telegram.calls.length === 1 || null);
  expect((await engine.call(owner, "POST", `/leads/${lead.id}/exclude`, {})).status).toBe(200);
  expect(telegram.texts()).toEqual([]);
  expect(await engine.clock.passWhile(first)).toBe(200);
  const undone = await engine.call(owner, "DELETE", `/exclusions/${lead.telegramUserId}`);
  expect(undone).toEqual({ status: 200, body: { lead_id: lead.id } });

  const { db: own } = engine.deps;
  const messages = await rowsOf(own, "messages", { owner_id: owner.id }, [
    "peer_user_id",
    "message_id",
    "text",
    "source",
  ]);
  expect(messages).toEqual([{ peer_user_id: lead.telegramUserId, message_id: 1, text: "First", source: "followup" }]);
  const columns = ["followup_order_sent", "last_followup_sent_at", "last_outbound_at"] as const;
  const { followup_order_sent, ...times } = await rowOf(own, "leads", { id: lead.id }, [...columns]);
  expect([followup_order_sent, Object.values(times).includes(null)]).toEqual([1, false]);
  // A second click within 10 s would get the first one's response.
  await engine.clock.pass(10_001);
  expect(await engine.clock.passWhile(sendNext())).toBe(200);
  expect(telegram.texts()).toEqual(["First", "Second"]);
});

test("erases everything after 30 s, and a restored person starts as a new lead", async () => {
  const ada = await seller.receive({ first_name: "Ada Quince", username: "ada_quince" }, "my secret is a violet");
  const reply = { text: "I keep your violet" };
  await call("POST", `/leads/${ada.lead}/messages`, reply, { "idempotency-key": "violet" });
  await seller.until(ada.lead, (all) => all.some(({ state }) => state === "sent"));
  const job = await send("Second for all");
  const waiting = () => rowsOf(db, "outbox", { job_id: job, state: "pending" }, ["lead_id"]);
  await server.passUntil(waiting, (rows) => rows.length === 2);
  await exclude(ada.lead);
  await server.advance(31);
  const marks = [ada.lead, String(ada.user_id), "Ada Quince", "ada_quince", "violet"];
  // Only the list of exclusions names the person.
  expect(Object.keys(await tracesOf(db, marks))).toEqual(["public.exclusions"]);
  expect(await exclusions()).toMatchObject([{ telegram_user_id: String(ada.user_id), undo_until: null }]);
  expect(await rowOf(db, "exclusions", { telegram_user_id: ada.user_id })).toMatchObject({ kept: null });
  await server.advance(60);
  const ended = await bulk(job);
  expect(ended.status).toBe("completed");
  expect((ended.sent_count ?? 0) + (ended.failed_count ?? 0)).toBe(ended.total_targets);

  await call("POST", "/telegram/import", { days: 30, include_contacts: true });
  await server.idle();
  expect((await seller.get<ChatImport>("/api/telegram/import")).status).toBe("completed");
  expect(Object.keys(await tracesOf(db, marks))).toEqual(["public.exclusions"]);

  expect((await restore(ada.user_id)).body).toEqual({ lead_id: null });
  expect(await tracesOf(db, marks)).toEqual({});
  const again = await seller.receive({ first_name: "Ada Quince", user_id: ada.user_id }, "hello anew");
  expect(again.lead).not.toBe(ada.lead);
  expect((await seller.messages(again.lead)).map(({ text }) => text)).toEqual(["hello anew"]);
});

test("pages past an excluded lead, and reports one that is not excluded any more", async () => {
  const [ana, bo] = [
    await seller.receive({ first_name: "Ana" }, "Hi"),
    await seller.receive({ first_name: "Bo" }, "Hi"),
  ];
  for (const { lead } of [ana, bo]) expect((await exclude(lead)).status).toBe(200);
  const behind = (person: number) =>
    call<{ telegram_user_id: string }[] & { code: string }>("GET", `/exclusions?before=${person}`);
  expect((await behind(bo.user_id)).body[0]?.telegram_user_id).toBe(String(ana.user_id));
  await restore(bo.user_id);
  const message = "Nobody with that number is excluded any more. Name the one before in the list.";
  expect(await behind(bo.user_id)).toMatchObject({ status: 422, body: { code: "invalid_input", message } });
});
