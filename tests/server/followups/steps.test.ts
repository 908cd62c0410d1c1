import { describe, expect, it, test } from "vitest";
import type { Followup } from "../../../domain/followup.ts";
import { newLead, type Seller, createFakeTelegram, newStage, newStep } from "../../support/engine.ts";
import { form } from "../../support/form.ts";
import { ownEngine } from "../../support/servers.ts";
import { eraseDeletedFollowups } from "../../../server/followups/deletion.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { undoMove } from "../../../server/leads/stage-move.ts";
import { tidyMedia } from "../../../server/media/tidy.ts";
import { PNG } from "../../support/files.ts";
import { rowsOf } from "../../support/rows.ts";
import { runStepPlaces } from "../../../tools/chaos/models/step-places.ts";

const engine = await ownEngine();

const post = (seller: Seller, fields: Record<string, string>, file?: Uint8Array) => {
  const step = { stage_id: seller.stageId, message: "Hello", delay_hours: "24", ...fields };
  const { payload, headers } = form(step, file);
  return engine.call(seller, "POST", "/api/followups", payload, headers);
};

const change = (seller: Seller, id: string, patch: object) =>
  engine.call(seller, "PATCH", `/api/followups/${id}`, patch);

const remove = (seller: Seller, id: string) => engine.call(seller, "DELETE", `/api/followups/${id}`);

const list = async (seller: Seller) => (await engine.call(seller, "GET", "/api/followups")).json<Followup[]>();

const places = async (seller: Seller) =>
  (await list(seller)).map(({ message, followup_order: order }) => `${order} ${message}`);

async function sellerWithSteps(...messages: string[]) {
  const seller = await engine.newSeller();
  const ids: string[] = [];
  for (const message of messages) ids.push((await post(seller, { message })).json<Followup>().id);
  return { seller, ids };
}

describe("the steps of a stage", () => {
  it("are answered as the contract says", async () => {
    const seller = await engine.newSeller();
    const answer = await post(seller, { followup_order: "0", delay_hours: "48" });
    expect(answer.statusCode).toBe(200);
    const created = answer.json<Followup>();
    expect(created).toEqual({
      id: created.id,
      stage_id: seller.stageId,
      message: "Hello",
      followup_order: 0,
      delay_hours: 48,
      media_type: null,
      media_url: null,
      media_base64: null,
    });
    expect(await list(seller)).toEqual([created]);
  });

  it("go to the end without an order, or with one too far, and wait 24 hours without a delay", async () => {
    const { seller } = await sellerWithSteps("A");
    expect((await post(seller, { message: "B", followup_order: "9" })).json<Followup>().followup_order).toBe(1);
    expect((await post(seller, { message: "C", delay_hours: "" })).json<Followup>()).toMatchObject({
      followup_order: 2,
      delay_hours: 24,
    });
    expect(
      (await post(seller, { message: "D", delay_hours: "null", followup_order: "" })).json<Followup>(),
    ).toMatchObject({ followup_order: 3, delay_hours: 24 });
    const json = { stage_id: seller.stageId, message: "E", delay_hours: null, followup_order: null };
    const answer = await engine.call(seller, "POST", "/api/followups", json);
    expect(answer.json<Followup>()).toMatchObject({ followup_order: 4, delay_hours: 24 });
    expect(await places(seller)).toEqual(["0 A", "1 B", "2 C", "3 D", "4 E"]);
  });

  it("may not share an order: 409 in the seller's words", async () => {
    const { seller, ids } = await sellerWithSteps("A", "B");
    const refusal = { code: "duplicate_order", message: "This stage already has a follow-up with that order." };
    const added = await post(seller, { followup_order: "0" });
    const moved = await change(seller, ids[1]!, { followup_order: 0 });
    expect([added.statusCode, moved.statusCode]).toEqual([409, 409]);
    expect([added.json(), moved.json()]).toEqual([refusal, refusal]);
  });

  it("move up when one before them is deleted, and so do the leads that had passed it", async () => {
    const { seller, ids } = await sellerWithSteps("A", "B", "C");
    const cursors = [];
    for (const sent of [0, 1, 2, 3]) {
      const lead = await newLead(engine, seller);
      await engine.deps.db.updateTable("leads").set({ followup_order_sent: sent }).where("id", "=", lead.id).execute();
      cursors.push(lead.id);
    }
    expect((await remove(seller, ids[1]!)).statusCode).toBe(200);
    expect(await places(seller)).toEqual(["0 A", "1 C"]);
    expect(await cursorsOf(seller, cursors)).toEqual([0, 1, 1, 2]);
    expect((await change(seller, ids[2]!, { followup_order: 1 })).statusCode).toBe(200);
    expect(await places(seller)).toEqual(["0 A", "1 C"]);
  });

  it("stay numbered without gaps or doubles when two tabs add and delete at once", async () => {
    const { seller, ids } = await sellerWithSteps("A", "B", "C", "D", "E", "F");
    const answers = await Promise.all([
      ...ids.slice(0, 3).map((id) => remove(seller, id)),
      post(seller, { message: "G" }),
      post(seller, { message: "H" }),
      ...ids.slice(1, 4).map((id) => remove(seller, id)),
    ]);
    expect(answers.filter(({ statusCode }) => statusCode >= 500)).toEqual([]);
    const orders = (await list(seller)).map(({ followup_order: order }) => order);
    expect(orders).toEqual([0, 1, 2, 3]);
  });

  it("are refused with 422 when empty, too long a wait, of no known stage, or with fields we do not know", async () => {
    const { seller, ids } = await sellerWithSteps("A");
    const { id: owner_id, stageId: stage_id } = await engine.newSeller();
    const added = [{ message: "  " }, { delay_hours: "169" }, { delay_hours: "0" }, { delay_hours: "2.5" }];
    const strange = [{ stage_id }, { owner_id }, { message: "x".repeat(4_097) }];
    const changed = [{}, { message: "" }, { stage_id }];
    for (const fields of [...added, ...strange])
      expect([fields, (await post(seller, fields)).statusCode]).toEqual([fields, 422]);
    for (const patch of changed)
      expect([patch, (await change(seller, ids[0]!, patch)).statusCode]).toEqual([patch, 422]);
  });

  it("may stand without a stage, and move into one", async () => {
    const { seller } = await sellerWithSteps("A");
    const loose = (await post(seller, { stage_id: "", message: "Loose" })).json<Followup>();
    expect(loose).toMatchObject({ stage_id: null, followup_order: 0 });
    const moved = await change(seller, loose.id, { stage_id: seller.stageId });
    expect(moved.json()).toMatchObject({ stage_id: seller.stageId, followup_order: 1 });
  });
});

const HOUR = 3_600;

const add = async (seller: Seller, fields: Record<string, string>, file?: Uint8Array) =>
  (await post(seller, fields, file)).json<Followup>().id;

const restore = (seller: Seller, id: string) => engine.call(seller, "POST", `/api/followups/${id}/restore`);

const rowOf = async (id: string) => (await rowsOf(engine.deps.db, "followups", { id }))[0];

const remaining = async (seller: Seller) =>
  (await rowsOf(engine.deps.db, "deleted_followups", { owner_id: seller.id }, ["id"])).map(({ id }) => id);

/** How many steps each lead has behind it, as the seller is told. */
async function cursorsOf(seller: Seller, ids: readonly string[]) {
  const { leads } = (await engine.call(seller, "GET", "/api/leads")).json<{
    leads: { id: string; followup_order_sent: number }[];
  }>();
  const sent = new Map(leads.map((row) => [row.id, row.followup_order_sent]));
  return ids.map((id) => sent.get(id));
}

test("a deleted step comes back to the last field: id, picture, place, delay and age", async () => {
  const { seller } = await sellerWithSteps("A");
  const id = await add(seller, { message: "B", delay_hours: "7" }, PNG);
  await add(seller, { message: "C" });
  const before = await rowOf(id);
  const shown = (await list(seller)).find((step) => step.id === id);
  expect((await remove(seller, id)).statusCode).toBe(200);
  expect(await places(seller)).toEqual(["0 A", "1 C"]);

  const answer = await restore(seller, id);
  expect(answer.statusCode).toBe(200);
  expect(answer.json<Followup>()).toMatchObject({ id, message: "B", followup_order: 1, delay_hours: 7 });
  expect(answer.json<Followup>().media_type).toBe(shown?.media_type);
  expect(await rowOf(id)).toEqual(before);
  expect(await places(seller)).toEqual(["0 A", "1 B", "2 C"]);
  expect(await remaining(seller)).toEqual([]);
});

test("a step that was on its way while it was deleted counts as sent when it is back", async () => {
  const seller = await engine.newSeller({ automated: true });
  const id = await add(seller, { message: "A" });
  const lead = await newLead(engine, seller, { enteredAt: engine.clock.now() });
  const telegram = createFakeTelegram(engine.clock);
  const { sendText } = telegram.port;
  telegram.port.sendText = async (input) => {
    expect((await remove(seller, id)).statusCode).toBe(200);
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

test("a step whose stage was deleted meanwhile comes back unassigned", async () => {
  const { seller, ids } = await sellerWithSteps("A");
  await remove(seller, ids[0]!);
  await engine.deps.db.deleteFrom("stages").where("id", "=", seller.stageId).execute();
  expect((await restore(seller, ids[0]!)).json<Followup>()).toMatchObject({ stage_id: null, followup_order: 0 });
});

test("after a minute of the server's clock it is gone for good, and nothing of it is kept", async () => {
  const { seller, ids } = await sellerWithSteps("A", "B");
  await remove(seller, ids[0]!);
  await engine.advance(59);
  await eraseDeletedFollowups(engine.deps);
  expect(await remaining(seller)).toEqual([ids[0]]);
  await engine.advance(2);
  const late = await restore(seller, ids[0]!);
  const none = await restore(seller, "00000000-0000-4000-8000-000000000000");
  expect([late.statusCode, late.body]).toEqual([404, none.body]);
  await eraseDeletedFollowups(engine.deps);
  expect(await remaining(seller)).toEqual([]);
});

test("the picture of a deleted step is kept as long as the step", async () => {
  const seller = await engine.newSeller();
  const id = await add(seller, { message: "A" }, PNG);
  const media = async () => (await rowsOf(engine.deps.db, "media", { owner_id: seller.id }, ["id"])).length;
  await engine.advance(2 * 24 * HOUR);
  await remove(seller, id);
  await tidyMedia(engine.deps);
  expect(await media()).toBe(1);
  await engine.advance(61);
  await tidyMedia(engine.deps);
  expect(await media()).toBe(0);
});

test("a step that goes out while a stage change is made and taken back was sent in the stage that the lead is back in", async () => {
  const { db } = engine.deps;
  const seller = await engine.newSeller({ automated: true });
  for (const [order, message] of ["First", "Second"].entries())
    await newStep(engine, seller, { message, order, delayHours: 1 });
  const [under, away] = [await newLead(engine, seller), await newLead(engine, seller)];
  const toStageId = await newStage(engine, seller, "Mistake", 2);
  const undo = (leadId: string) => undoMove(db, { ownerId: seller.id, leadId, at: engine.clock.iso() });
  const telegram = createFakeTelegram(engine.clock);
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

test("each step goes out once in a stage entry, however steps are deleted, restored, moved and skipped meanwhile", async () => {
  expect(await runStepPlaces(engine, [3, 20])).toBeGreaterThan(8);
});
