import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { LeadAutomation } from "../../../domain/lead-automation.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { moveLead } from "../../../server/leads/stage-move.ts";
import { planReminders } from "../../../server/reminders/plan.ts";
import { eraseDeletedStages } from "../../../server/stages/removal.ts";
import { newLead, newStage, newStep, ownEngine, type Seller } from "../../support/engine.ts";
import { addRow, changeRows, rowOf as readRow, rowsOf } from "../../support/rows.ts";
import { RESET } from "../../support/leads.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

const engine = await ownEngine();
const { call, deps } = engine;
const { db } = deps;

const removed = async (seller: Seller, id: string) =>
  expect((await call(seller, "DELETE", `/stages/${id}`)).status).toBe(200);
const restore = (seller: Seller, id: string) => call(seller, "POST", `/stages/${id}/restore`);
const automation = async (seller: Seller, id: string) => {
  const { state, words } = (await call<LeadAutomation>(seller, "GET", `/leads/${id}/automation`)).body;
  return [state, words];
};
const HELD = ["held", "Their stage was deleted; nothing goes out until you resume or move them."];
const order = (seller: Seller, id: string, action: object) => call(seller, "POST", `/leads/${id}/automation`, action);
const move = (seller: Seller, id: string, stage_id: string) =>
  call(seller, "PATCH", `/leads/${id}`, { stage_id, ...RESET });
const undoMove = async (seller: Seller, id: string) => (await call(seller, "POST", `/leads/${id}/stage/undo`)).status;
const stages = async (seller: Seller) =>
  (await call<{ id: string; order: number; name: string }[]>(seller, "GET", "/stages")).body;
const names = async (seller: Seller) => (await stages(seller)).map((stage) => `${stage.order} ${stage.name}`);
const steps = async (seller: Seller) => {
  const columns = ["message", "stage_id", "followup_order"] as const;
  const rows = await rowsOf(db, "followups", { owner_id: seller.id }, columns);
  return rows.toSorted((one, other) => one.message.localeCompare(other.message));
};
const leadIn = async (seller: Seller, stageId: string) => (await newLead(engine, { ...seller, stageId })).id;
const thank = (seller: Seller, stageId: string) =>
  newStep(engine, { ...seller, stageId }, { message: "Thanks", order: 0, delayHours: 24 });
/** Returns a lead's row except the stage entry number, which only grows. */
const rowOf = async (id: string) => {
  const { stage_entry_epoch: _, ...row } = await readRow(db, "leads", { id });
  return row;
};
const planned = async (seller: Seller) => {
  await planFollowups(engine.deps);
  const { rows } = await sql<{ message: string }>`
    select f.message from outbox o join followups f on f.id = o.followup_id
    where o.owner_id = ${seller.id}::uuid and o.state = 'pending'`.execute(db);
  return rows.map(({ message }) => message);
};
const historyOf = async (id: string) =>
  (await rowsOf(db, "stage_history", { lead_id: id }, ["reason"])).map(({ reason }) => reason);

/** Creates a seller whose lead got the step of the first stage, moved to the second, and got its first step. */
async function sellerWithCustomer() {
  const seller = await engine.newSeller({ automated: true });
  const hello = await newStep(engine, seller, { message: "Hello", order: 0, delayHours: 1 });
  await newStep(engine, seller, { message: "Still there?", order: 1, delayHours: 48 });
  const sales = await newStage(engine, seller, "Sales", 2);
  await newStage(engine, seller, "Won", 3);
  for (const [place, message] of ["Offer", "Offer again"].entries())
    await newStep(engine, { ...seller, stageId: sales }, { message, order: place, delayHours: 24 });
  const lead = await newLead(engine, seller);
  const at = engine.clock.iso();
  await sql`insert into ledger (id, owner_id, lead_id, followup_id, epoch, kind, state, random_id, attempts, planned_at, settled_at)
    values (nextval(pg_get_serial_sequence('outbox', 'id')), ${seller.id}::uuid, ${lead.id}::uuid, ${hello}::uuid, 1,
      'followup', 'sent', 1, 1, ${at}::timestamptz, ${at}::timestamptz)`.execute(db);
  await move(seller, lead.id, sales);
  await changeRows(db, "leads", { id: lead.id }, { followup_order_sent: 1, last_followup_sent_at: at });
  return { seller, sales, leadId: lead.id };
}

describe("leads of a deleted stage", () => {
  test("are held in the first stage and get no automatic messages there", async () => {
    const { seller, sales, leadId } = await sellerWithCustomer();
    await removed(seller, sales);
    expect(await automation(seller, leadId)).toEqual(HELD);
    await engine.advance(3 * DAY);
    expect(await planned(seller)).toEqual([]);
    expect(await automation(seller, leadId)).toEqual(HELD);
  });

  test("resume after a manual move, and keep a hold of the user", async () => {
    const { seller, sales, leadId } = await sellerWithCustomer();
    const other = await leadIn(seller, sales);
    await order(seller, other, { action: "hold" });
    await engine.advance(1);
    await removed(seller, sales);
    const won = (await stages(seller)).find(({ name }) => name === "Won")?.id ?? "";
    await thank(seller, won);
    for (const id of [leadId, other]) await move(seller, id, won);
    expect((await automation(seller, leadId))[0]).toEqual("scheduled");
    const own = "You hold this lead, so nothing goes out by itself until you resume it.";
    expect(await automation(seller, other)).toEqual(["held", own]);
    expect(await undoMove(seller, leadId)).toBe(200);
    expect(await automation(seller, leadId)).toEqual(HELD);
  });

  test("resume after a manual move when their next stage was deleted too", async () => {
    const { seller, sales, leadId } = await sellerWithCustomer();
    const later = await newStage(engine, seller, "Later", 4);
    const [own, dated] = [await leadIn(seller, sales), await leadIn(seller, sales)];
    const until = new Date(engine.clock.now() + 10 * DAY * 1_000).toISOString();
    await order(seller, own, { action: "hold" });
    await order(seller, dated, { action: "hold", until });
    for (const stage of [sales, seller.stageId]) {
      await engine.advance(1);
      await removed(seller, stage);
    }
    await engine.advance(1);
    for (const stageId of [(await stages(seller))[0]?.id ?? "", later]) await thank(seller, stageId);
    for (const id of [leadId, own, dated]) {
      expect(await automation(seller, id)).toEqual(HELD);
      expect((await call(seller, "PATCH", `/leads/${id}`, { stage_id: later })).status).toBe(200);
    }
    const hold = async (id: string) => {
      const { held_at, held_until, held_from } = await rowOf(id);
      return [held_at !== null, held_until === null ? null : new Date(held_until).toISOString(), held_from];
    };
    expect(await hold(leadId)).toEqual([false, null, null]);
    expect(await hold(own)).toEqual([true, null, null]);
    expect(await hold(dated)).toEqual([true, until, null]);
    expect(await undoMove(seller, dated)).toBe(200);
    expect(await automation(seller, dated)).toEqual(HELD);
    expect((await rowOf(dated)).held_until).toEqual(null);
  });

  test.each(["/leads/batch", "/leads/{id}/automation"])("get no step twice when %s holds them", async (path) => {
    for (const days of [3, null]) {
      const { seller, sales, leadId } = await sellerWithCustomer();
      await removed(seller, sales);
      const until = days === null ? null : new Date(engine.clock.now() + days * DAY * 1_000).toISOString();
      const body =
        path === "/leads/batch"
          ? { where: { ids: [leadId] }, action: { type: "hold", until } }
          : { action: "hold", until };
      expect((await call(seller, "POST", path.replace("{id}", leadId), body)).status).toBe(200);
      await engine.advance(3 * DAY);
      if (days === null) await order(seller, leadId, { action: "resume" });
      expect([days, await planned(seller)]).toEqual([days, ["Still there?"]]);
    }
  });

  test("are held as before when a batch's hold is undone", async () => {
    const { seller, sales, leadId } = await sellerWithCustomer();
    await removed(seller, sales);
    const before = await rowOf(leadId);
    const batch = { where: { ids: [leadId] }, action: { type: "hold" } };
    const { body } = await call<{ undo_id: string }>(seller, "POST", "/leads/batch", batch);
    expect((await call(seller, "POST", `/leads/batch/${body.undo_id}/undo`)).status).toBe(200);
    expect(await rowOf(leadId)).toEqual(before);
  });

  test("are held when their exclusion is undone later, and return with the stage", async () => {
    const { seller, sales, leadId } = await sellerWithCustomer();
    const held = await leadIn(seller, sales);
    await order(seller, held, { action: "hold", until: new Date(engine.clock.now() + DAY * 1_000).toISOString() });
    const leads = [leadId, held];
    const rows = () => Promise.all(leads.map(rowOf));
    const before = await rows();
    for (const id of leads) expect((await call(seller, "POST", `/leads/${id}/exclude`, {})).status).toBe(200);
    await removed(seller, sales);
    for (const { telegram_user_id: person } of before)
      expect((await call(seller, "DELETE", `/exclusions/${person}`)).status).toBe(200);
    for (const id of leads) expect(await automation(seller, id)).toEqual(HELD);
    expect(await historyOf(leadId)).toEqual(["manual", "stage_deleted"]);
    expect((await restore(seller, sales)).status).toBe(200);
    expect(await rows()).toEqual(before);
    expect(await historyOf(leadId)).toEqual(["manual"]);
  });
});

describe("a deleted stage", () => {
  test("is restored within a minute with its order, steps, rules and leads", async () => {
    const { seller, sales, leadId } = await sellerWithCustomer();
    const held = await leadIn(seller, sales);
    await order(seller, held, { action: "hold", until: new Date(engine.clock.now() + DAY * 1_000).toISOString() });
    const rule = { owner_id: seller.id, stage: "Sales", stage_id: sales, channel_id: "me", template: "{name}" };
    await addRow(db, "reminders", rule);
    const all = async () => [
      await names(seller),
      await steps(seller),
      await call(seller, "GET", "/reminders"),
      await rowOf(leadId),
      await rowOf(held),
      await historyOf(leadId),
    ];
    const before = await all();
    await removed(seller, sales);
    expect(await names(seller)).toEqual(["1 Initial Contact", "2 Won"]);
    await engine.advance(59);
    const answer = await restore(seller, sales);
    expect(answer).toMatchObject({ status: 200, body: { id: sales, order: 2 } });
    expect(await all()).toEqual(before);
    expect((await restore(seller, sales)).status).toBe(200);
    await engine.advance(2 * DAY);
    expect(await planned(seller)).toContain("Offer again");
  });

  test("gets its withdrawn reminders planned again when it is restored", async () => {
    const { seller, sales, leadId } = await sellerWithCustomer();
    const rule = { owner_id: seller.id, stage: "Sales", stage_id: sales, channel_id: "me", template: "{name}" };
    await addRow(db, "reminders", { ...rule, delay_days: 2, enabled_at: engine.clock.iso() });
    await engine.advance(2 * DAY);
    await planReminders(engine.deps);
    await removed(seller, sales);
    const telegram = await engine.telegramOf(seller);
    await engine.idle();
    const cancelled = [{ lead_id: leadId, state: "cancelled", reason: "RULE_DISABLED" }];
    expect(await rowsOf(db, "outbox", { owner_id: seller.id }, ["lead_id", "state", "reason"])).toEqual(cancelled);
    await restore(seller, sales);
    await planReminders(engine.deps);
    await engine.allSent(seller);
    expect(telegram.texts()).toEqual([(await rowOf(leadId)).name]);
  });

  test("leaves leads that the user has moved or resumed since", async () => {
    const { seller, sales, leadId } = await sellerWithCustomer();
    const [resumed, talked] = [await leadIn(seller, sales), await leadIn(seller, sales)];
    await removed(seller, sales);
    const by = { reason: "keyword", keyword: "deal", messageId: 7, rulesVersion: 1 } as const;
    const movedBack = { ownerId: seller.id, leadId: talked, toStageId: seller.stageId, at: engine.clock.iso(), by };
    await moveLead(db, movedBack);
    await move(seller, leadId, seller.stageId);
    await order(seller, resumed, { action: "resume" });
    expect((await restore(seller, sales)).status).toBe(200);
    for (const id of [leadId, resumed, talked])
      expect(await rowOf(id)).toMatchObject({ stage_id: seller.stageId, held_at: null });
  });

  test("is permanently deleted after a minute", async () => {
    const { seller, sales, leadId } = await sellerWithCustomer();
    await removed(seller, sales);
    await engine.advance(61);
    expect((await restore(seller, sales)).status).toBe(404);
    await eraseDeletedStages(engine.deps);
    expect(await rowsOf(db, "stage_removals", { owner_id: seller.id })).toEqual([]);
    expect(await automation(seller, leadId)).toEqual(HELD);
  });

  test("is not restored when another stage has its name", async () => {
    const { seller, sales } = await sellerWithCustomer();
    await removed(seller, sales);
    await newStage(engine, seller, "Sales", 3);
    expect(await restore(seller, sales)).toMatchObject({ status: 409, body: { code: "stage_name_taken" } });
  });
});
