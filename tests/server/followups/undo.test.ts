import { expect, test } from "vitest";
import type { Followup } from "../../../domain/followup.ts";
import { eraseDeletedFollowups, planFollowups } from "../../../server/followups/index.ts";
import { moveLead, undoMove } from "../../../server/leads/stage-move.ts";
import { tidyMedia } from "../../../server/media/index.ts";
import { createFakeTelegram, newLead, newStep, type Seller } from "../../support/engine.ts";
import { PNG } from "../../support/files.ts";
import { form } from "../../support/form.ts";
import { ownEngine } from "../../support/servers.ts";

const HOUR = 3_600;
const engine = await ownEngine();

type Method = "GET" | "POST" | "DELETE" | "PATCH";
const call = (seller: Seller, method: Method, url: string) =>
  engine.app.inject({ method, url: `/api/followups${url}`, headers: { authorization: `Bearer ${seller.id}` } });
const add = async (seller: Seller, fields: Record<string, string>, file?: Uint8Array) => {
  const { payload, headers } = form({ stage_id: seller.stageId, delay_hours: "24", ...fields }, file);
  const answer = await engine.app.inject({
    method: "POST",
    url: "/api/followups",
    headers: { ...headers, authorization: `Bearer ${seller.id}` },
    payload,
  });
  return answer.json<Followup>().id;
};
const remove = (seller: Seller, id: string) => call(seller, "DELETE", `/${id}`);
const restore = (seller: Seller, id: string) => call(seller, "POST", `/${id}/restore`);
const list = async (seller: Seller) => (await call(seller, "GET", "")).json<Followup[]>();
const places = async (seller: Seller) =>
  (await list(seller)).map(({ message, followup_order: order }) => `${order} ${message}`);
const rowOf = (id: string) =>
  engine.deps.db.selectFrom("followups").selectAll().where("id", "=", id).executeTakeFirst();
const kept = async (seller: Seller) =>
  (await engine.deps.db.selectFrom("deleted_followups").select("id").where("owner_id", "=", seller.id).execute()).map(
    ({ id }) => id,
  );

async function sellerWithSteps(...messages: string[]) {
  const seller = await engine.newSeller();
  const ids: string[] = [];
  for (const message of messages) ids.push(await add(seller, { message }));
  return { seller, ids };
}
/** How many steps each lead has behind it, as the seller is told. */
async function cursorsOf(seller: Seller, ids: readonly string[]) {
  const answer = await engine.app.inject({ url: "/api/leads", headers: { authorization: `Bearer ${seller.id}` } });
  const { leads } = answer.json<{ leads: { id: string; followup_order_sent: number }[] }>();
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
  expect(await kept(seller)).toEqual([]);
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
  expect(telegram.delivered.map(({ text }) => text)).toEqual(["A"]);
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
  expect(await kept(seller)).toEqual([ids[0]]);
  await engine.advance(2);
  const late = await restore(seller, ids[0]!);
  const none = await restore(seller, "00000000-0000-4000-8000-000000000000");
  expect([late.statusCode, late.body]).toEqual([404, none.body]);
  await eraseDeletedFollowups(engine.deps);
  expect(await kept(seller)).toEqual([]);
});

test("somebody else's deleted step is answered as none, and stays restorable for its owner", async () => {
  const { seller, ids } = await sellerWithSteps("A");
  const stranger = await engine.newSeller();
  await remove(seller, ids[0]!);
  const theirs = await restore(stranger, ids[0]!);
  const none = await restore(stranger, "00000000-0000-4000-8000-000000000000");
  expect([theirs.statusCode, theirs.body]).toEqual([404, none.body]);
  expect((await restore(seller, ids[0]!)).statusCode).toBe(200);
});

test("the picture of a deleted step is kept as long as the step", async () => {
  const seller = await engine.newSeller();
  const id = await add(seller, { message: "A" }, PNG);
  const media = async () =>
    (await engine.deps.db.selectFrom("media").select("id").where("owner_id", "=", seller.id).execute()).length;
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
  const mistake = { owner_id: seller.id, name: "Mistake", order: 2 };
  const { id: toStageId } = await db.insertInto("stages").values(mistake).returning("id").executeTakeFirstOrThrow();
  const undo = (leadId: string) => undoMove(db, { ownerId: seller.id, leadId, at: engine.clock.iso() });
  const telegram = createFakeTelegram(engine.clock);
  const { sendText } = telegram.port;
  const movedAt = engine.clock.iso();
  telegram.port.sendText = async (input) => {
    const lead = "telegramUserId" in input.to && input.to.telegramUserId === under.telegramUserId ? under : away;
    await moveLead(db, { ownerId: seller.id, leadId: lead.id, toStageId, at: movedAt, by: { reason: "manual" } });
    if (lead === under) await undo(lead.id);
    return sendText(input);
  };
  expect(await planFollowups(engine.deps)).toBe(2);
  const sender = await engine.startSending(seller, telegram);
  await engine.allSent(seller);
  telegram.port.sendText = sendText;
  expect(await undo(away.id)).toBe(true);
  const leads = await db
    .selectFrom("leads")
    .select(["stage_id", "followup_order_sent", "last_followup_sent_at"])
    .where("owner_id", "=", seller.id)
    .execute();
  const back = { stage_id: seller.stageId, followup_order_sent: 1, last_followup_sent_at: expect.any(String) };
  expect(leads).toEqual([back, back]);
  expect(await planFollowups(engine.deps)).toBe(0);
  await engine.advance(2 * HOUR);
  expect(await planFollowups(engine.deps)).toBe(2);
  await engine.allSent(seller);
  await sender.stop();
  expect(telegram.delivered.map(({ text }) => text)).toEqual(["First", "First", "Second", "Second"]);
});
