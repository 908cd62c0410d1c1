import { describe, expect, it } from "vitest";
import { planFollowups } from "../../../server/followups/plan.ts";
import { createFakeTelegram, newLead, newStep, type Seller } from "../../support/engine.ts";
import { lostAnswer } from "../../support/fake-telegram.ts";
import { ownEngine } from "../../support/servers.ts";
import { addRow, rowsOf } from "../../support/rows.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const engine = await ownEngine();
type Lead = { id: string; telegramUserId: string };

/** Lets time pass as the server sees it: the clock moves, and what became due is planned. */
async function pass(seconds: number) {
  await engine.advance(seconds);
  await planFollowups(engine.deps);
}

const row = (lead: Lead) =>
  engine.deps.db.selectFrom("leads").selectAll().where("id", "=", lead.id).executeTakeFirstOrThrow();

const reply = (seller: Seller, lead: Lead) => engine.hear(seller, lead.telegramUserId, "I am here");

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
  it("leave when their delay is over, each counted from the one before", async () => {
    const { lead, telegram } = await automated();
    await pass(22 * HOUR);
    await engine.idle();
    expect(telegram.texts()).toEqual([]);
    await pass(HOUR + 60);
    await telegram.got(engine, 1);
    await engine.idle();
    expect(await row(lead)).toMatchObject({ followup_order_sent: 1, last_manual_at: null });
    await pass(23 * HOUR);
    await engine.idle();
    expect(telegram.texts()).toEqual(["Step 1"]);
    await pass(HOUR + 60);
    await telegram.got(engine, 2);
    await pass(10 * DAY);
    await engine.idle();
    expect(telegram.texts()).toEqual(["Step 1", "Step 2"]);
  });

  it("stop when the person answers, and go on after a message by hand", async () => {
    const { seller, lead, telegram } = await automated({ steps: 3 });
    await pass(DAY);
    await telegram.got(engine, 1);
    await pass(60);
    await reply(seller, lead);
    await pass(5 * DAY);
    await engine.idle();
    expect(telegram.texts()).toEqual(["Step 1"]);
    expect((await engine.call(seller, "POST", `/api/followups/send/${lead.id}`)).statusCode).toBe(200);
    await pass(DAY + 60);
    await telegram.got(engine, 3);
    expect(telegram.texts()).toEqual(["Step 1", "Step 2", "Step 3"]);
  });

  it("stop for an answer that arrives between planning and sending", async () => {
    const seller = await engine.newSeller({ automated: true });
    await newStep(engine, seller, { message: "Step 1", order: 0 });
    const lead = await newLead(engine, seller);
    await pass(DAY);
    const planned = await engine.deps.db.selectFrom("outbox").select("state").where("lead_id", "=", lead.id).execute();
    expect(planned).toEqual([{ state: "pending" }]);
    await reply(seller, lead);
    const telegram = await engine.telegramOf(seller);
    await engine.idle();
    expect(telegram.calls).toEqual([]);
    await pass(60);
    expect(telegram.calls).toEqual([]);
  });

  it("are never asked for again once the person answered, though the first call got no answer", async () => {
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

  it("keep to the allowed hours: what is due at night leaves in the first half hour of the morning", async () => {
    const toHour = (hour: number) => {
      const now = engine.clock.now();
      const midnight = now - (now % (DAY * 1000));
      return (midnight + DAY * 1000 + hour * HOUR * 1000 - now) / 1000;
    };
    await engine.advance(toHour(3) + 1);
    const { telegram } = await automated({ startHour: 9, endHour: 12 });
    await pass(DAY);
    await engine.idle();
    await pass(6 * HOUR - 60);
    await engine.idle();
    const early = telegram.calls.length;
    await pass(31 * 60);
    await telegram.got(engine, 1);
    const hour = new Date(telegram.delivered[0]?.at ?? 0).getUTCHours();
    expect({ early, hour }).toEqual({ early: 0, hour: 9 });
  });

  it("send the text as it stands when it is taken, and the same text again after a lost answer", async () => {
    const seller = await engine.newSeller({ automated: true });
    const stepId = await newStep(engine, seller, { message: "Draft", order: 0 });
    await newLead(engine, seller);
    await pass(DAY);
    const edit = (message: string) =>
      engine.deps.db.updateTable("followups").set({ message }).where("id", "=", stepId).execute();
    await edit("Final");
    const telegram = createFakeTelegram(engine.clock);
    telegram.fail(lostAnswer());
    await engine.startSending(seller, telegram);
    await engine.idle();
    expect(telegram.calls).toHaveLength(1);
    await edit("Too late");
    await telegram.got(engine, 1);
    expect(telegram.texts()).toEqual(["Final"]);
  });

  it("keep to the daily limit of their own account, whatever others have sent", async () => {
    const { db } = engine.deps;
    const seller = await engine.newSeller({ automated: true, dailyCap: 1 });
    await newStep(engine, seller, { message: "Step 1", order: 0, delayHours: 1 });
    const enteredAt = engine.clock.now() - 2 * HOUR * 1000;
    const lead = await newLead(engine, seller, { enteredAt, lastMessageAt: null });
    const stateAfter = async (ownerId: string) => {
      await addRow(db, "send_pace", { owner_id: ownerId, cold_day: engine.clock.iso(), cold_count: 1_000 });
      return (await engine.call(seller, "GET", `/api/leads/${lead.id}/automation`)).json<{ state: string }>().state;
    };
    await db.deleteFrom("send_pace").execute();
    expect(await stateAfter((await engine.newSeller()).id)).toBe("scheduled");
    expect(await stateAfter(seller.id)).toBe("waiting_for_limit");
  });

  it("are held until the moment at which the hold ends", async () => {
    const { seller, lead } = await automated();
    const url = `/api/leads/${lead.id}/automation`;
    const until = new Date(engine.clock.now() + HOUR * 1000).toISOString();
    await engine.call(seller, "POST", url, { action: "hold", until });
    const state = async () => (await engine.call(seller, "GET", url)).json<{ state: string }>().state;
    await engine.advance(HOUR - 0.001);
    expect(await state()).toBe("held");
    await engine.advance(0.001);
    expect(await state()).not.toBe("held");
  });
});
