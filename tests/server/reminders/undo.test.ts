import { expect, test } from "vitest";
import type { Reminder } from "../../../domain/reminder.ts";
import { readLedger } from "../../../server/ledger/page.ts";
import { moveLead, undoMove } from "../../../server/leads/stage-move.ts";
import { eraseDeletedReminders, planReminders } from "../../../server/reminders/index.ts";
import { createFakeTelegram, newLead, type FakeTelegram, type Seller } from "../../support/engine.ts";
import { ownEngine } from "../../support/servers.ts";

const DAY = 86_400;
const engine = await ownEngine();

type Method = "GET" | "POST" | "DELETE" | "PATCH";
const call = (seller: Seller, method: Method, url: string, payload?: object) =>
  engine.app.inject({
    method,
    url: `/api/reminders${url}`,
    headers: { authorization: `Bearer ${seller.id}` },
    ...(payload === undefined ? {} : { payload }),
  });
const list = async (seller: Seller) => (await call(seller, "GET", "")).json<Reminder[]>();
const remove = (seller: Seller, id: string) => call(seller, "DELETE", `/${id}`);
const restore = (seller: Seller, id: string) => call(seller, "POST", `/${id}/restore`);
const setConnected = (seller: Seller, state: "connected" | "disconnected") =>
  engine.deps.db.updateTable("telegram_sessions").set({ state }).where("id", "=", seller.accountId).execute();

/** A seller whose rule exists; no account is connected, so that its channel is not asked for. */
async function sellerWithRule() {
  const seller = await engine.newSeller();
  await setConnected(seller, "disconnected");
  const body = { stage: "Initial Contact", delay_days: 2, channel_id: "@team", template: "{name} is stuck" };
  const { id } = (await call(seller, "POST", "", body)).json<Reminder>();
  return { seller, id };
}
const rowOf = (id: string) =>
  engine.deps.db.selectFrom("reminders").selectAll().where("id", "=", id).executeTakeFirst();

test("a deleted rule leaves the list at once and comes back to the last field", async () => {
  const { seller, id } = await sellerWithRule();
  const [row, [shown]] = [await rowOf(id), await list(seller)];
  expect((await remove(seller, id)).statusCode).toBe(200);
  expect(await list(seller)).toEqual([]);
  expect((await remove(seller, id)).statusCode).toBe(404);
  expect((await call(seller, "PATCH", `/${id}`, { is_enabled: false })).statusCode).toBe(404);

  const answer = await restore(seller, id);
  expect([answer.statusCode, answer.json()]).toEqual([200, shown]);
  expect(await rowOf(id)).toEqual(row);
  expect((await restore(seller, id)).json()).toEqual(shown);
});

test("a minute after its deletion a rule is erased: what waited is cancelled, the record of what was sent stays", async () => {
  const { seller, id } = await sellerWithRule();
  const leads = [1, 2, 3].map(() => newLead(engine, seller, { enteredAt: engine.clock.now() - 3 * DAY * 1000 }));
  const [sent, sending, waiting] = await Promise.all(leads);
  await planReminders(engine.deps);
  const settled = { state: "sent" as const, message_id: 7, settled_at: engine.clock.iso() };
  await engine.deps.db
    .updateTable("outbox")
    .set(settled)
    .where("lead_id", "=", sent?.id ?? "")
    .execute();
  const started = { state: "sending" as const, account_user_id: seller.telegramUserId };
  const underWay = engine.deps.db.updateTable("outbox").set(started);
  await underWay.where("lead_id", "=", sending?.id ?? "").execute();
  await remove(seller, id);
  await engine.advance(59);
  await eraseDeletedReminders(engine.deps);
  expect(await rowOf(id)).toMatchObject({ id });
  await engine.advance(2);
  const late = await restore(seller, id);
  const none = await restore(seller, "00000000-0000-4000-8000-000000000000");
  expect([late.statusCode, late.body]).toEqual([404, none.body]);
  await eraseDeletedReminders(engine.deps);
  expect(await rowOf(id)).toBeUndefined();
  const { items } = await readLedger(engine.deps, seller.id, { limit: 10 });
  expect(items.map(({ lead, state, reason, message_id }) => [lead?.id, state, reason, message_id])).toEqual(
    expect.arrayContaining([
      [sent?.id, "sent", null, 7],
      [sending?.id, "sending", null, null],
      [waiting?.id, "cancelled", "RULE_DELETED", null],
    ]),
  );
  expect(items).toHaveLength(3);

  await setConnected(seller, "connected");
  const telegram = createFakeTelegram(engine.clock);
  await engine.startSending(seller, telegram);
  await engine.idle();
  const unsettled = await readLedger(engine.deps, seller.id, { limit: 10, lead_id: sending?.id });
  expect([telegram.calls, unsettled.items]).toMatchObject([[], [{ state: "unknown", reason: "RULE_DELETED" }]]);
});

test("somebody else's deleted rule is answered as none", async () => {
  const { seller, id } = await sellerWithRule();
  const stranger = await engine.newSeller();
  await remove(seller, id);
  const none = await restore(stranger, "00000000-0000-4000-8000-000000000000");
  expect([(await restore(stranger, id)).body, none.statusCode]).toEqual([none.body, 404]);
  expect((await restore(seller, id)).statusCode).toBe(200);
});

test("what a deleted rule had in the queue waits for its undo and then leaves; without one it never does", async () => {
  const undone = await sellerWithRule();
  const gone = await sellerWithRule();
  const telegrams: FakeTelegram[] = [];
  for (const { seller, id } of [undone, gone]) {
    await newLead(engine, seller, { enteredAt: engine.clock.now() - 3 * DAY * 1000 });
    await planReminders(engine.deps);
    await remove(seller, id);
    await setConnected(seller, "connected");
    const telegram = createFakeTelegram(engine.clock);
    await engine.startSending(seller, telegram);
    telegrams.push(telegram);
  }
  await engine.idle();
  expect(telegrams.map(({ delivered }) => delivered.length)).toEqual([0, 0]);
  await restore(undone.seller, undone.id);
  await engine.advance(61);
  expect(telegrams[0]?.delivered).toHaveLength(1);
  expect(telegrams[1]?.calls).toEqual([]);
});

test("a stage change that is taken back tells nobody twice, and keeps what was still to be told", async () => {
  const { seller } = await sellerWithRule();
  const [told, waiting, fresh] = [
    await newLead(engine, seller, { enteredAt: engine.clock.now() - 3 * DAY * 1000 }),
    await newLead(engine, seller, { enteredAt: engine.clock.now() - 3 * DAY * 1000 }),
    await newLead(engine, seller),
  ];
  expect(await planReminders(engine.deps)).toBe(2);
  const { db } = engine.deps;
  await db.updateTable("outbox").set({ state: "sent" }).where("lead_id", "=", told.id).execute();
  const toStageId = (
    await db
      .insertInto("stages")
      .values({ owner_id: seller.id, name: "Mistake", order: 2 })
      .returning("id")
      .executeTakeFirstOrThrow()
  ).id;
  for (const { id: leadId } of [told, waiting, fresh]) {
    const at = engine.clock.iso();
    await moveLead(db, { ownerId: seller.id, leadId, toStageId, at, by: { reason: "manual" } });
    expect(await undoMove(db, { ownerId: seller.id, leadId, at })).toBe(true);
  }
  expect(await planReminders(engine.deps)).toBe(0);
  const open = await db
    .selectFrom("outbox as o")
    .innerJoin("leads as l", "l.id", "o.lead_id")
    .select(["l.id", "o.state"])
    .whereRef("l.stage_entry_epoch", "=", "o.epoch")
    .where("o.owner_id", "=", seller.id)
    .execute();
  expect(open).toEqual([{ id: waiting.id, state: "pending" }]);

  await db
    .updateTable("outbox")
    .set({ state: "cancelled", reason: "MOVED_ON" })
    .where("lead_id", "=", waiting.id)
    .execute();
  const at = engine.clock.iso();
  await moveLead(db, { ownerId: seller.id, leadId: waiting.id, toStageId, at, by: { reason: "manual" } });
  expect(await undoMove(db, { ownerId: seller.id, leadId: waiting.id, at })).toBe(true);
  expect(await planReminders(engine.deps)).toBe(1);
});
