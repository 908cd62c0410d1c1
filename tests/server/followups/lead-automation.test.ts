import { sql } from "kysely";
import { expect, it } from "vitest";
import type { LeadAutomation } from "../../../domain/lead-automation.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { refreshStalePlans } from "../../../server/followups/stale-plans.ts";
import type { Candidate } from "../../../server/outbox/candidate.ts";
import type { Gate } from "../../../server/outbox/gate.ts";
import { readForecast } from "../../../server/forecast/forecast.ts";
import { decide } from "../../../server/outbox/rules.ts";
import { newLead, newStage, newStep, ownEngine, type Seller } from "../../support/engine.ts";
import { NOON } from "../../support/virtual-clock.ts";
import { changeRows, removeRows, rowsOf } from "../../support/rows.ts";

const HOUR_MS = 3_600_000;
const DAY_S = 86_400;

const engine = await ownEngine();
const { db } = engine.deps;

const call = engine.call;
const read = async (seller: Seller, leadId: string) =>
  (await call<LeadAutomation>(seller, "GET", `/leads/${leadId}/automation`)).body;
const order = (seller: Seller, leadId: string, payload: object) =>
  call<LeadAutomation & { code?: string }>(seller, "POST", `/leads/${leadId}/automation`, payload);
const planned = (seller: Seller) =>
  rowsOf(db, "outbox", { owner_id: seller.id, kind: "followup" }, ["lead_id", "followup_id", "state"]);
const events = async (leadId: string) =>
  (await rowsOf(db, "lead_events", { lead_id: leadId }, ["type"])).map(({ type }) => type);
const inHours = (hours: number) => new Date(engine.clock.now() + hours * HOUR_MS).toISOString();

const plan = async (seller: Seller) => {
  await planFollowups(engine.deps);
  return (await planned(seller)).length;
};
const minutesUntil = (time: string | null) => Math.round((Date.parse(time ?? "") - engine.clock.now()) / 60_000);

async function sellerWithSteps(...delays: number[]) {
  const seller = await engine.newSeller({ automated: true });
  const steps: string[] = [];
  for (const [order, delayHours] of delays.entries())
    steps.push(await newStep(engine, seller, { message: `Step ${order} for {first_name|you}`, order, delayHours }));
  const enteredAt = engine.clock.now();
  const lead = await newLead(engine, seller, { name: "Ann Lee", enteredAt });
  await refreshStalePlans(db);
  const after = (hours: number) => new Date(enteredAt + hours * HOUR_MS).toISOString();
  return { seller, steps, lead, after };
}

it("returns the next message, its time, and the filled-in text", async () => {
  const { seller, steps, lead, after } = await sellerWithSteps(2);
  const automation = await read(seller, lead.id);
  expect(automation).toEqual({
    state: "scheduled",
    due_at: after(2),
    step: { id: steps[0], order: 0, preview: "Step 0 for Ann" },
    words: "The follow-up goes out by itself then, unless this person writes first; nobody needs to act.",
    words_code: "scheduled",
    words_params: {},
    stage_entered_at: expect.any(String),
  });
  const detail = await call<{ automation: LeadAutomation; opted_out_at: null }>(seller, "GET", `/leads/${lead.id}`);
  expect(detail.body).toMatchObject({ automation, opted_out_at: null });
});

it("never sends a skipped step, and counts the next delay from its time", async () => {
  const { seller, steps, lead, after } = await sellerWithSteps(2, 3, 4);
  const answer = await order(seller, lead.id, { action: "skip" });
  expect([answer.status, answer.body.step?.id, answer.body.due_at]).toEqual([200, steps[1], after(5)]);
  await engine.advance(5 * 3_600 - 180);
  expect(await plan(seller)).toBe(0);
  await engine.advance(180);
  expect(await plan(seller)).toBe(1);
  expect((await planned(seller)).map(({ followup_id }) => followup_id)).toEqual([steps[1]]);
  // A step that is already planned is withdrawn, and the next delay counts from now.
  const late = await order(seller, lead.id, { action: "skip" });
  expect([await planned(seller), late.body.step?.id, minutesUntil(late.body.due_at)]).toEqual([[], steps[2], 240]);
  // The skipped step moves behind the cursor and stays skipped.
  await sql`update followups set followup_order = case id when ${steps[0]}::uuid then 2 else 0 end
    where id = any(${[steps[0], steps[2]]}::uuid[])`.execute(db);
  await engine.advance(10 * DAY_S);
  expect(await plan(seller)).toBe(0);
  expect(await read(seller, lead.id)).toMatchObject({ state: "finished", step: null, due_at: null });
  // A new stage entry starts from the first step.
  await engine.move(seller, lead.id, await newStage(engine, seller, "Later", 2));
  await engine.move(seller, lead.id, seller.stageId);
  expect((await read(seller, lead.id)).step?.id).toBe(steps[2]);
  expect(await events(lead.id)).toEqual(["skipped", "skipped"]);
});

it("skips no step that is being sent, and none when none is left", async () => {
  const { seller, steps, lead } = await sellerWithSteps(1);
  await engine.advance(3_600);
  await planFollowups(engine.deps);
  await changeRows(db, "outbox", { lead_id: lead.id }, { state: "sending" });
  expect(await order(seller, lead.id, { action: "skip" })).toMatchObject({ status: 409, body: { code: "being_sent" } });
  expect(await read(seller, lead.id)).toMatchObject({ state: "scheduled", step: { id: steps[0] } });
  await changeRows(db, "outbox", { lead_id: lead.id }, { state: "pending" });
  expect((await order(seller, lead.id, { action: "skip" })).body.state).toBe("finished");
  const again = await order(seller, lead.id, { action: "skip" });
  expect(again).toMatchObject({ status: 409, body: { code: "no_step_left" } });
});

it("sends nothing to a held lead, and refuses a hold that ends in the past", async () => {
  const { seller, lead } = await sellerWithSteps(1);
  await engine.advance(3_600);
  expect(await plan(seller)).toBe(1);
  expect((await order(seller, lead.id, { action: "hold" })).body).toMatchObject({ state: "held", due_at: null });
  expect([await planned(seller), await plan(seller)]).toEqual([[], 0]);
  expect((await order(seller, lead.id, { action: "resume" })).body.state).toBe("scheduled");
  const until = inHours(30);
  const held = await order(seller, lead.id, { action: "hold", until });
  expect(held.body).toMatchObject({ state: "held", due_at: until });
  await engine.advance(30 * 3_600 - 180);
  expect(await plan(seller)).toBe(0);
  await engine.advance(180);
  expect(await plan(seller)).toBe(1);
  const holds = [{ until: inHours(-1) }, { until: "tomorrow" }, { why: "so" }].map((more) => ({
    action: "hold",
    ...more,
  }));
  for (const body of [...holds, { action: "skip", until }, { action: "stop" }])
    expect([body, await order(seller, lead.id, body)]).toMatchObject([body, { status: 422, body: { fields: {} } }]);
  expect(await events(lead.id)).toEqual(["held", "resumed", "held"]);
});

it("stops automatic and bulk messages after an opt-out, until it is undone", async () => {
  const { seller, lead } = await sellerWithSteps(1);
  const other = await newLead(engine, seller, { enteredAt: engine.clock.now() - 40 * DAY_S * 1_000 });
  await engine.advance(3_600);
  await planFollowups(engine.deps);
  const plannedFor = async (id: string) => (await planned(seller)).filter(({ lead_id }) => lead_id === id);
  expect(await plannedFor(lead.id)).toHaveLength(1);
  await engine.deliver(seller, lead.telegramUserId, "Please stop it");
  expect((await read(seller, lead.id)).state).toBe("answered");
  await engine.deliver(seller, lead.telegramUserId, "  \uFF33TOP\u200B ");
  expect(await read(seller, lead.id)).toMatchObject({ state: "opted_out", due_at: null });
  expect(await plannedFor(lead.id)).toEqual([]);

  await removeRows(db, "outbox", { owner_id: seller.id });
  const telegram = await engine.telegramOf(seller);
  const job = await engine.call(seller, "POST", "/bulk", { message: "News for everyone" });
  expect(job.status).toBe(200);
  await engine.idle();
  expect(telegram.delivered.map(({ to }) => to)).toEqual([other.telegramUserId]);
  const rows = await rowsOf(db, "outbox", { lead_id: lead.id, kind: "bulk" }, ["state", "reason"]);
  expect(rows).toEqual([{ state: "skipped", reason: "OPTED_OUT" }]);
  // An opt-out is not a refusal by Telegram: the person stays reachable.
  expect((await read(seller, lead.id)).state).toBe("opted_out");
  expect((await order(seller, lead.id, { action: "resume" })).body.state).toBe("answered");
  expect(await events(lead.id)).toEqual(["opted_out", "resumed"]);
});

it("does not retry an uncertain bulk message after an opt-out", () => {
  const row = { kind: "bulk", job_id: "job", lead_id: "lead", telegram_user_id: "2", account_user_id: "1" };
  const gate = { job: { id: "job" } } as Gate;
  const decision = (more: object) => decide({ ...row, ...more } as Candidate, gate, "1", NOON);
  expect(decision({ is_uncertain: true, opted_out_at: null })).toEqual({ do: "send" });
  const optedOutAt = new Date(NOON).toISOString();
  expect(decision({ is_uncertain: true, opted_out_at: optedOutAt })).toEqual({ do: "abandon", reason: "OPTED_OUT" });
  expect(decision({ is_uncertain: false, opted_out_at: optedOutAt })).toEqual({ do: "skip", reason: "OPTED_OUT" });
});

it("records messages in a dry run, advances no lead, and sends no burst afterwards", async () => {
  const { seller, steps, lead } = await sellerWithSteps(1, 1);
  const telegram = await engine.telegramOf(seller);
  const dryRun = (isOn: boolean) => call(seller, "PATCH", "/settings", { dry_run: isOn });
  await dryRun(true);
  expect((await read(seller, lead.id)).words).toMatch(/^A dry run is on/);
  await engine.advance(3_600);
  await planFollowups(engine.deps);
  await engine.idle();
  const line = { lead_id: lead.id, followup_id: steps[0], state: "would_send", kind: "followup", message_id: null };
  const ledger = await rowsOf(db, "ledger", { owner_id: seller.id });
  expect(ledger).toMatchObject([{ ...line, excerpt: "Step 0 for Ann" }]);
  await engine.advance(3_600);
  expect([await plan(seller), await planned(seller), telegram.delivered]).toEqual([0, [], []]);
  expect((await read(seller, lead.id)).state).toBe("overdue_unconfirmed");
  const { waiting } = await readForecast(engine.deps, seller.id, 24);
  expect(waiting).toEqual([{ state: "overdue_unconfirmed", count: 1 }]);

  await dryRun(false);
  expect(await plan(seller)).toBe(0);
  expect(await read(seller, lead.id)).toMatchObject({ state: "overdue_unconfirmed", step: { id: steps[0] } });
  const overdue = await call<{ total: number }>(seller, "GET", "/followups/overdue");
  expect(overdue.body).toMatchObject({ total: 1, leads: [{ lead_id: lead.id }] });
  // Leads that become due from now on get the step as usual.
  const fresh = await newLead(engine, seller, { enteredAt: engine.clock.now() });
  await engine.advance(3_600);
  await planFollowups(engine.deps);
  await engine.idle();
  expect(telegram.delivered.map(({ to }) => to)).toEqual([fresh.telegramUserId]);
  await call(seller, "POST", "/followups/overdue/confirm", {});
  await engine.allSent(seller);
  expect(telegram.delivered.map(({ to }) => to)).toEqual([fresh.telegramUserId, lead.telegramUserId]);
});

it("makes no leads of contacts that are left out, and keeps existing leads", async () => {
  const { seller, lead } = await sellerWithSteps(1);
  await call(seller, "PATCH", "/settings", { exclude_contacts: true });
  await engine.deliver(seller, "900000001", "Hello from a contact", { isContact: true });
  await engine.deliver(seller, lead.telegramUserId, "Hello from a lead", { isContact: true });
  await engine.deliver(seller, "900000002", "Hello from a stranger");
  const storedMessages = () => rowsOf(db, "messages", { owner_id: seller.id }, ["peer_user_id", "text"]);
  expect(await storedMessages()).toEqual([
    { peer_user_id: lead.telegramUserId, text: "Hello from a lead" },
    { peer_user_id: "900000002", text: "Hello from a stranger" },
  ]);
  await call(seller, "PATCH", "/settings", { exclude_contacts: false });
  await engine.deliver(seller, "900000001", "Hello again", { isContact: true });
  expect((await call<{ total: number }>(seller, "GET", "/leads")).body.total).toBe(3);
});
