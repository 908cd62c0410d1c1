import { describe, expect, it } from "vitest";
import { planFollowups } from "../../../server/followups/plan.ts";
import { newLead, newStage, newStep, ownEngine, type Seller } from "../../support/engine.ts";
import { lostAnswer } from "../../support/fake-telegram.ts";
import { addRow, changeRows, rowOf, rowsOf } from "../../support/rows.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const engine = await ownEngine();
type Lead = { id: string; telegramUserId: string };

async function pass(seconds: number) {
  await engine.advance(seconds);
  await planFollowups(engine.deps);
}

const row = ({ id }: Lead) => rowOf(engine.deps.db, "leads", { id });
const stateOf = async (seller: Seller, { id }: Lead) =>
  (await engine.call<{ state: string }>(seller, "GET", `/leads/${id}/automation`)).body.state;
const reply = (seller: Seller, lead: Lead) => engine.deliver(seller, lead.telegramUserId, "I am here");

async function automated(options: { startHour?: number; endHour?: number; steps?: number } = {}) {
  const seller = await engine.newSeller({ automated: true, ...options });
  for (let order = 0; order < (options.steps ?? 2); order += 1) {
    await newStep(engine, seller, { message: `Step ${order + 1}`, order, delayHours: 24 });
  }
  const lead = await newLead(engine, seller);
  const telegram = await engine.telegramOf(seller);
  return { seller, lead, telegram };
}

describe("automatic follow-ups", () => {
  it("are sent after their delay, stop on a reply, and resume after a manual message", async () => {
    const { seller, lead, telegram } = await automated({ steps: 4 });
    await pass(22 * HOUR);
    await engine.idle();
    expect(telegram.texts()).toEqual([]);
    await pass(HOUR + 60);
    await telegram.got(1);
    await engine.idle();
    expect(await row(lead)).toMatchObject({ followup_order_sent: 1, last_manual_at: null });
    // Each delay counts from the previous step.
    await pass(23 * HOUR);
    await engine.idle();
    expect(telegram.texts()).toEqual(["Step 1"]);
    await pass(HOUR + 60);
    await telegram.got(2);
    await reply(seller, lead);
    await pass(5 * DAY);
    await engine.idle();
    expect(telegram.texts()).toEqual(["Step 1", "Step 2"]);
    expect((await engine.call(seller, "POST", `/followups/send/${lead.id}`)).status).toBe(200);
    await pass(DAY + 60);
    await telegram.got(4);
    await pass(10 * DAY);
    await engine.idle();
    expect(telegram.texts()).toEqual(["Step 1", "Step 2", "Step 3", "Step 4"]);
  });

  it("stop for a reply between planning and sending", async () => {
    const seller = await engine.newSeller({ automated: true });
    await newStep(engine, seller, { message: "Step 1", order: 0 });
    const lead = await newLead(engine, seller);
    await pass(DAY);
    expect(await rowsOf(engine.deps.db, "outbox", { lead_id: lead.id }, ["state"])).toEqual([{ state: "pending" }]);
    await reply(seller, lead);
    const telegram = await engine.telegramOf(seller);
    await pass(60);
    expect(telegram.calls).toEqual([]);
  });

  it("are not retried after a reply, even if the first call got no response", async () => {
    const { seller, lead, telegram } = await automated();
    telegram.fail(lostAnswer(), { times: 2 });
    await pass(DAY);
    await engine.clock.passUntil(() => telegram.calls.length === 2 || null);
    await reply(seller, lead);
    await pass(600);
    await engine.idle();
    expect(telegram.calls).toHaveLength(2);
    const [open] = await rowsOf(engine.deps.db, "outbox", { lead_id: lead.id }, ["state", "reason"]);
    expect(open).toEqual({ state: "unknown", reason: "REPLIED" });
    expect(await row(lead)).toMatchObject({ followup_order_sent: 1 });
  });

  it("keep to the allowed hours, and are sent within 30 min after the opening", async () => {
    const untilMidnight = DAY - ((engine.clock.now() / 1000) % DAY);
    await engine.advance(untilMidnight + 3 * HOUR + 1);
    const { telegram } = await automated({ startHour: 9, endHour: 12 });
    await pass(DAY);
    await engine.idle();
    await pass(6 * HOUR - 60);
    await engine.idle();
    expect(telegram.calls).toEqual([]);
    await pass(31 * 60);
    await telegram.got(1);
    expect(new Date(telegram.delivered[0]?.at ?? 0).getUTCHours()).toBe(9);
  });

  it("send the current text, and the same text again after a lost response", async () => {
    const seller = await engine.newSeller({ automated: true });
    const stepId = await newStep(engine, seller, { message: "Draft", order: 0 });
    await newLead(engine, seller);
    await pass(DAY);
    const edit = (message: string) => changeRows(engine.deps.db, "followups", { id: stepId }, { message });
    await edit("Final");
    const telegram = engine.fakeTelegram();
    telegram.fail(lostAnswer());
    await engine.startSending(seller, telegram);
    await engine.idle();
    expect(telegram.calls).toHaveLength(1);
    await edit("Too late");
    await telegram.got(1);
    expect(telegram.texts()).toEqual(["Final"]);
  });

  it("keep to their own account's daily limit", async () => {
    const { db } = engine.deps;
    const seller = await engine.newSeller({ automated: true, dailyCap: 1 });
    await newStep(engine, seller, { message: "Step 1", order: 0, delayHours: 1 });
    const enteredAt = engine.clock.now() - 2 * HOUR * 1000;
    const lead = await newLead(engine, seller, { enteredAt, lastMessageAt: null });
    const stateAfter = async (ownerId: string) => {
      await addRow(db, "send_pace", { owner_id: ownerId, cold_day: engine.clock.iso(), cold_count: 1_000 });
      return stateOf(seller, lead);
    };
    await db.deleteFrom("send_pace").execute();
    expect(await stateAfter((await engine.newSeller()).id)).toBe("scheduled");
    expect(await stateAfter(seller.id)).toBe("waiting_for_limit");
  });

  it("wait for confirmation when a step moves into a stage with overdue leads", async () => {
    const seller = await engine.newSeller({ automated: true });
    const stageId = await newStage(engine, seller, "Old", 2);
    const step = await newStep(engine, { ...seller, stageId }, { message: "Any news?", order: 0 });
    const old = await newLead(engine, seller);
    await engine.advance(60 * DAY);
    const fresh = await newLead(engine, seller);
    await engine.call(seller, "DELETE", `/stages/${stageId}`);
    await engine.call(seller, "PATCH", `/followups/${step}`, { stage_id: seller.stageId });
    await planFollowups(engine.deps);
    expect([await stateOf(seller, old), await stateOf(seller, fresh)]).toEqual(["overdue_unconfirmed", "scheduled"]);
    expect(await rowsOf(engine.deps.db, "outbox", { owner_id: seller.id })).toEqual([]);
    const overdue = await engine.call(seller, "GET", "/followups/overdue");
    expect(overdue.body).toMatchObject({ total: 1, leads: [{ lead_id: old.id, followup_id: step }] });
  });

  it("wait for confirmation when a step moves behind leads that finished long ago", async () => {
    const { seller, lead } = await automated();
    const [first] = await rowsOf(engine.deps.db, "followups", { stage_id: seller.stageId, followup_order: 0 }, ["id"]);
    // As if a lead of a deleted stage had resumed after these steps.
    await changeRows(engine.deps.db, "leads", { id: lead.id }, { followup_order_sent: 2 });
    await engine.advance(60 * DAY);
    expect(await stateOf(seller, lead)).toBe("finished");
    await engine.call(seller, "PATCH", `/followups/${first?.id}`, { followup_order: 2 });
    await planFollowups(engine.deps);
    expect(await stateOf(seller, lead)).toBe("overdue_unconfirmed");
    expect(await rowsOf(engine.deps.db, "outbox", { owner_id: seller.id })).toEqual([]);
  });

  it("are held until the hold ends", async () => {
    const { seller, lead } = await automated();
    const until = new Date(engine.clock.now() + HOUR * 1000).toISOString();
    await engine.call(seller, "POST", `/leads/${lead.id}/automation`, { action: "hold", until });
    await engine.advance(HOUR - 0.001);
    expect(await stateOf(seller, lead)).toBe("held");
    await engine.advance(0.001);
    expect(await stateOf(seller, lead)).not.toBe("held");
  });
});
