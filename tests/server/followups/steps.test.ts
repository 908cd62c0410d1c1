import { describe, expect, it, test } from "vitest";
import type { Followup } from "../../../domain/followup.ts";
import { newLead, newStage, newStep, ownEngine, type Seller } from "../../support/engine.ts";
import { formWith } from "../../support/form.ts";
import { eraseDeletedFollowups } from "../../../server/followups/deletion.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { undoMove } from "../../../server/leads/stage-move.ts";
import { tidyMedia } from "../../../server/media/tidy.ts";
import { PNG } from "../../support/files.ts";
import { changeRows, removeRows, rowOf, rowsOf } from "../../support/rows.ts";
import { runStepPlaces } from "../../../tools/chaos/models/step-places.ts";

const HOUR = 3_600;
const engine = await ownEngine();

const ask = <T = Followup & { code: string }>(
  seller: Seller,
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  body?: object,
) => engine.call<T>(seller, method, `/followups${path}`, body);
const post = (seller: Seller, fields: Record<string, string>, file?: typeof PNG) =>
  ask(seller, "POST", "", formWith({ stage_id: seller.stageId, message: "Hello", delay_hours: "24", ...fields }, file));
const add = async (...given: Parameters<typeof post>) => (await post(...given)).body;
const change = (seller: Seller, id: string, patch: object) => ask(seller, "PATCH", `/${id}`, patch);
const remove = async (seller: Seller, id: string) => (await ask(seller, "DELETE", `/${id}`)).status;
const restore = (seller: Seller, id: string) => ask(seller, "POST", `/${id}/restore`);
const list = async (seller: Seller) => (await engine.call<Followup[]>(seller, "GET", "/followups")).body;
const places = async (seller: Seller) =>
  (await list(seller)).map(({ message, followup_order: order }) => `${order} ${message}`);
/** Returns the number of completed steps of each lead, as the seller sees it. */
async function cursorsOf(seller: Seller, ids: readonly string[]) {
  type Leads = { leads: { id: string; followup_order_sent: number }[] };
  const { leads } = (await engine.call<Leads>(seller, "GET", "/leads")).body;
  const sent = new Map(leads.map((row) => [row.id, row.followup_order_sent]));
  return ids.map((id) => sent.get(id));
}
const remaining = async (seller: Seller) =>
  (await rowsOf(engine.deps.db, "deleted_followups", { owner_id: seller.id }, ["id"])).map(({ id }) => id);

async function sellerWithSteps(...messages: string[]) {
  const seller = await engine.newSeller();
  const ids: string[] = [];
  for (const message of messages) ids.push((await add(seller, { message })).id);
  return { seller, ids };
}

describe("the steps of a stage", () => {
  it("go to the end without a valid order, and wait 24 hours without a delay", async () => {
    const seller = await engine.newSeller();
    const first = await post(seller, { message: "A", followup_order: "0", delay_hours: "48" });
    const none = { media_type: null, media_url: null, media_base64: null };
    const known = { id: first.body.id, stage_id: seller.stageId, message: "A", followup_order: 0, delay_hours: 48 };
    expect(first).toEqual({ status: 200, body: { ...known, ...none } });
    expect(await list(seller)).toEqual([first.body]);
    expect(await add(seller, { message: "B", followup_order: "9" })).toMatchObject({ followup_order: 1 });
    expect(await add(seller, { message: "C", delay_hours: "" })).toMatchObject({ followup_order: 2, delay_hours: 24 });
    const nothing = { message: "D", delay_hours: "null", followup_order: "" };
    expect(await add(seller, nothing)).toMatchObject({ followup_order: 3, delay_hours: 24 });
    const json = { stage_id: seller.stageId, message: "E", delay_hours: null, followup_order: null };
    expect((await ask(seller, "POST", "", json)).body).toMatchObject({ followup_order: 4, delay_hours: 24 });
    // Steps without a stage have their own order until they move into one.
    const loose = await add(seller, { stage_id: "", message: "F" });
    expect(loose).toMatchObject({ stage_id: null, followup_order: 0 });
    const moved = await change(seller, loose.id, { stage_id: seller.stageId });
    expect(moved.body).toMatchObject({ stage_id: seller.stageId, followup_order: 5 });
    expect(await places(seller)).toEqual(["0 A", "1 B", "2 C", "3 D", "4 E", "5 F"]);
  });

  it("may not share an order", async () => {
    const { seller, ids } = await sellerWithSteps("A", "B");
    const body = { code: "duplicate_order", message: "This stage already has a follow-up with that order." };
    expect(await post(seller, { followup_order: "0" })).toEqual({ status: 409, body });
    expect(await change(seller, ids[1]!, { followup_order: 0 })).toEqual({ status: 409, body });
  });

  it("move up when an earlier one is deleted, and so do the leads past it", async () => {
    const { seller, ids } = await sellerWithSteps("A", "B", "C");
    const cursors: string[] = [];
    for (const followup_order_sent of [0, 1, 2, 3]) {
      const { id } = await newLead(engine, seller);
      await changeRows(engine.deps.db, "leads", { id }, { followup_order_sent });
      cursors.push(id);
    }
    expect(await remove(seller, ids[1]!)).toBe(200);
    expect(await places(seller)).toEqual(["0 A", "1 C"]);
    expect(await cursorsOf(seller, cursors)).toEqual([0, 1, 1, 2]);
    expect((await change(seller, ids[2]!, { followup_order: 1 })).status).toBe(200);
    expect(await places(seller)).toEqual(["0 A", "1 C"]);
  });

  it("stay numbered without gaps or doubles when two tabs add and delete at once", async () => {
    const { seller, ids } = await sellerWithSteps("A", "B", "C", "D", "E", "F");
    const removeAll = (some: string[]) => some.map((id) => remove(seller, id));
    const addAll = ["G", "H"].map(async (message) => (await post(seller, { message })).status);
    const answers = await Promise.all([...removeAll(ids.slice(0, 3)), ...addAll, ...removeAll(ids.slice(1, 4))]);
    expect(answers.filter((status) => status >= 500)).toEqual([]);
    expect((await list(seller)).map(({ followup_order: order }) => order)).toEqual([0, 1, 2, 3]);
  });

  it("are refused when empty, with too long a delay, or an unknown stage or field", async () => {
    const { seller, ids } = await sellerWithSteps("A");
    const { id: owner_id, stageId: stage_id } = await engine.newSeller();
    const added = [{ message: "  " }, { delay_hours: "169" }, { delay_hours: "0" }, { delay_hours: "2.5" }];
    const strange = [{ stage_id }, { owner_id }, { message: "x".repeat(4_097) }];
    for (const fields of [...added, ...strange])
      expect([fields, (await post(seller, fields)).status]).toEqual([fields, 422]);
    for (const patch of [{}, { message: "" }, { stage_id }])
      expect([patch, (await change(seller, ids[0]!, patch)).status]).toEqual([patch, 422]);
  });
});

test("restores a deleted step with id, picture, order, delay and age", async () => {
  const { seller } = await sellerWithSteps("A");
  const { id, ...shown } = await add(seller, { message: "B", delay_hours: "7" }, PNG);
  await add(seller, { message: "C" });
  const before = await rowOf(engine.deps.db, "followups", { id });
  expect(await remove(seller, id)).toBe(200);
  expect(await places(seller)).toEqual(["0 A", "1 C"]);
  expect(await restore(seller, id)).toEqual({ status: 200, body: { ...shown, id } });
  expect(await rowOf(engine.deps.db, "followups", { id })).toEqual(before);
  expect([await places(seller), await remaining(seller)]).toEqual([["0 A", "1 B", "2 C"], []]);
});

test("counts a restored step as sent when it was in flight during its deletion", async () => {
  const seller = await engine.newSeller({ automated: true });
  const { id } = await add(seller, { message: "A" });
  const lead = await newLead(engine, seller, { enteredAt: engine.clock.now() });
  const telegram = engine.fakeTelegram();
  const { sendText } = telegram.port;
  telegram.port.sendText = async (input) => {
    expect(await remove(seller, id)).toBe(200);
    return sendText(input);
  };
  const sender = await engine.startSending(seller, telegram);
  await engine.advance(24 * HOUR + 1);
  await planFollowups(engine.deps);
  await engine.idle();
  expect(await cursorsOf(seller, [lead.id])).toEqual([0]);
  await restore(seller, id);
  expect(await cursorsOf(seller, [lead.id])).toEqual([1]);
  await sender.stop();
  expect(telegram.texts()).toEqual(["A"]);
});

test.each([
  ["moves to the end", false],
  ["moves to the end and its lead to another stage and back", true],
])("sends the remaining steps when the step in flight %s", async (_when, isUndone) => {
  const seller = await engine.newSeller({ automated: true });
  const [first] = [await add(seller, { message: "A" }), await add(seller, { message: "B" })];
  const lead = await newLead(engine, seller);
  const toStageId = await newStage(engine, seller, "Mistake", 2);
  const telegram = engine.fakeTelegram();
  const { sendText } = telegram.port;
  telegram.port.sendText = async (input) => {
    if (input.text === "A") await change(seller, first.id, { followup_order: 2 });
    return sendText(input);
  };
  await engine.startSending(seller, telegram);
  for (let steps = 0; steps < 3; steps += 1) {
    await engine.advance(24 * HOUR + 1);
    await planFollowups(engine.deps);
    await engine.allSent(seller);
    if (!isUndone || steps > 0) continue;
    await engine.move(seller, lead.id, toStageId, engine.clock.iso());
    await undoMove(engine.deps.db, { ownerId: seller.id, leadId: lead.id, at: engine.clock.iso() });
  }
  expect(telegram.texts()).toEqual(["A", "B"]);
});

test("restores a step without its deleted stage as unassigned", async () => {
  const { seller, ids } = await sellerWithSteps("A");
  await remove(seller, ids[0]!);
  await removeRows(engine.deps.db, "stages", { id: seller.stageId });
  expect((await restore(seller, ids[0]!)).body).toMatchObject({ stage_id: null, followup_order: 0 });
});

test("deletes a step and its picture permanently after a minute", async () => {
  const { seller } = await sellerWithSteps("A");
  const { id } = await add(seller, { message: "B" }, PNG);
  const kept = async () => {
    await eraseDeletedFollowups(engine.deps);
    await tidyMedia(engine.deps);
    const media = await rowsOf(engine.deps.db, "media", { owner_id: seller.id }, ["id"]);
    return [await remaining(seller), media.length];
  };
  await engine.advance(2 * 24 * HOUR);
  await remove(seller, id);
  await engine.advance(59);
  expect(await kept()).toEqual([[id], 1]);
  await engine.advance(2);
  const absent = await restore(seller, "00000000-0000-4000-8000-000000000000");
  expect([absent.status, await restore(seller, id)]).toEqual([404, absent]);
  expect(await kept()).toEqual([[], 0]);
});

test("counts a step sent during a move and its undo in the original stage", async () => {
  const { db } = engine.deps;
  const seller = await engine.newSeller({ automated: true });
  for (const [order, message] of ["First", "Second"].entries())
    await newStep(engine, seller, { message, order, delayHours: 1 });
  const [under, away] = [await newLead(engine, seller), await newLead(engine, seller)];
  const toStageId = await newStage(engine, seller, "Mistake", 2);
  const undo = (leadId: string) => undoMove(db, { ownerId: seller.id, leadId, at: engine.clock.iso() });
  const telegram = engine.fakeTelegram();
  const { sendText } = telegram.port;
  const movedAt = engine.clock.iso();
  telegram.port.sendText = async (input) => {
    const lead = "telegramUserId" in input.to && input.to.telegramUserId === under.telegramUserId ? under : away;
    await engine.move(seller, lead.id, toStageId, movedAt);
    if (lead === under) await undo(lead.id);
    return sendText(input);
  };
  expect(await planFollowups(engine.deps)).toBe(2);
  const sender = await engine.startSending(seller, telegram);
  await engine.allSent(seller);
  telegram.port.sendText = sendText;
  expect(await undo(away.id)).toBe(true);
  const leads = await rowsOf(db, "leads", { owner_id: seller.id });
  const back = { stage_id: seller.stageId, followup_order_sent: 1, last_followup_sent_at: expect.any(String) };
  expect(leads).toMatchObject([back, back]);
  expect(await planFollowups(engine.deps)).toBe(0);
  await engine.advance(2 * HOUR);
  expect(await planFollowups(engine.deps)).toBe(2);
  await engine.allSent(seller);
  await sender.stop();
  expect(telegram.texts()).toEqual(["First", "First", "Second", "Second"]);
});

test("keeps the last step in place when a second tab renumbers it to the end", async () => {
  const seller = await engine.newSeller({ automated: true });
  await newLead(engine, seller);
  const telegram = await engine.telegramOf(seller);
  const addAndSend = async (message: string) => {
    const { id } = await add(seller, { message, delay_hours: "1" });
    await engine.advance(2 * HOUR);
    await planFollowups(engine.deps);
    await engine.allSent(seller);
    return id;
  };
  const [first, second, third] = [await addAndSend("A"), await addAndSend("B"), await addAndSend("C")];
  await remove(seller, first);
  await remove(seller, second);
  expect((await change(seller, third, { followup_order: 1 })).body).toMatchObject({ followup_order: 0 });
  await addAndSend("D");
  expect(telegram.texts()).toEqual(["A", "B", "C", "D"]);
});

test("sends each step once per stage entry despite concurrent edits", async () => {
  expect(await runStepPlaces(engine, [3, 15, 20])).toBeGreaterThan(8);
});
