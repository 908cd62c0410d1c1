import { expect, it } from "vitest";
import { planFollowups } from "../../../server/followups/index.ts";
import { bulkCalls } from "../../support/bulk-calls.ts";
import { createFakeTelegram, lostAnswer, refusal } from "../../support/fake-telegram.ts";
import { newLead, newStep } from "../../support/engine.ts";
import { ownEngine } from "../../support/servers.ts";
import { rowOf, rowsOf } from "../../support/rows.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const BULK_GAP_MS = 2_000;
const STEP_GAP_MS = 1_000;
/** A small part of the day that a message waits when it believes a clock that was ahead. */
const SOON_MS = 30 * 60_000;
/** How the host's clock is set, one after another; all of it together is nothing. */
const JUMPS = [HOUR, -HOUR, DAY, -DAY, -HOUR, HOUR, -DAY, DAY];

const engine = await ownEngine();
const bulk = bulkCalls(engine);

/** Lets time pass until the condition holds. @throws when that takes long */
const soon = (holds: () => boolean | Promise<boolean>) => {
  const latest = engine.clock.monotonic() + SOON_MS;
  return engine.clock.passUntil(async () => {
    if (await holds()) return true;
    expect(engine.clock.monotonic()).toBeLessThan(latest);
    return null;
  });
};

it("while the host's clock is set forward and back by an hour and a day nothing goes out twice, nothing is lost and the rhythm goes on", async () => {
  const { seller, leads, telegram } = await bulk.sellerWithLeads(3 * JUMPS.length, { automated: true });
  await engine.deps.db.updateTable("leads").set({ stage_id: null }).where("owner_id", "=", seller.id).execute();
  await newStep(engine, seller, { message: "Step", order: 0, delayHours: 24 });
  await engine.startSending(seller, telegram, 0.5);
  const id = await bulk.started(seller, { throttle: String(BULK_GAP_MS / 1_000) });
  const stepped = [];
  for (const minutes of [0, 1, 2, 3]) {
    const enteredAt = engine.clock.now() - DAY * 1_000 + minutes * 2_000;
    stepped.push(await newLead(engine, seller, { enteredAt }));
  }
  let setBackMs = 0;
  /** When each call was made, by a clock that only runs on: one that is set forward may have run on while the host slept. */
  const times: number[] = [];
  const nextCall = async () => {
    const before = telegram.calls.length;
    await engine.clock.passUntil(async () => {
      await planFollowups(engine.deps);
      return telegram.calls.length > before || null;
    });
    for (const { at } of telegram.calls.slice(times.length)) times.push(at + setBackMs);
  };
  for (const seconds of JUMPS) {
    await nextCall();
    await nextCall();
    // The server is not told: it notices or does not.
    engine.clock.jump(seconds * 1_000);
    if (seconds < 0) setBackMs -= seconds * 1_000;
  }
  while (telegram.calls.length < leads.length + stepped.length) await nextCall();

  const job = await bulk.finished(seller, id);
  expect([job.status, job.sent_count, job.failed_count]).toEqual(["completed", leads.length, 0]);
  const got = telegram.delivered.map(({ to, text }) => `${text} ${to}`);
  const due = [
    ...leads.map((lead) => `News ${lead.telegramUserId}`),
    ...stepped.map((lead) => `Step ${lead.telegramUserId}`),
  ];
  expect(got.toSorted()).toEqual(due.toSorted());
  expect(telegram.calls).toHaveLength(got.length);
  const gapOf = (text = "") => (text === "Step" ? STEP_GAP_MS : BULK_GAP_MS);
  const tooSoon = telegram.calls.slice(1).flatMap((call, index) => {
    const before = telegram.calls[index];
    const waited = (times[index + 1] ?? 0) - (times[index] ?? 0);
    return waited < Math.max(gapOf(before?.text), gapOf(call.text)) ? [`${call.text} after ${waited} ms`] : [];
  });
  expect(tooSoon).toEqual([]);
});

it("a message whose answer was lost while the host's clock was ahead is asked for again soon after the clock is set right", async () => {
  const { seller, telegram } = await bulk.sellerWithLeads(2);
  engine.clock.jump(DAY * 1_000);
  telegram.fail(lostAnswer(), { afterDelivery: true });
  await engine.startSending(seller, telegram, 0.5);
  const id = await bulk.started(seller);
  await engine.idle();
  const open = await rowsOf(engine.deps.db, "outbox", { owner_id: seller.id, is_uncertain: true }, ["state"]);
  expect(open).toEqual([{ state: "pending" }]);
  engine.clock.jump(-DAY * 1_000);
  await soon(() => telegram.calls.length === 3);
  const job = await bulk.finished(seller, id);
  expect([job.status, job.sent_count, telegram.delivered.length]).toEqual(["completed", 2, 2]);
});

it("a wait that Telegram asked for while the host's clock was ahead is kept whole, and no longer, once the clock is set right", async () => {
  const { seller, telegram } = await bulk.sellerWithLeads(1);
  engine.clock.jump(DAY * 1_000);
  telegram.fail(refusal("FLOOD_WAIT_30", 420));
  await engine.startSending(seller, telegram, 0.5);
  await bulk.started(seller);
  await engine.idle();
  const account = await rowOf(engine.deps.db, "telegram_sessions", { id: seller.accountId }, ["paused_reason"]);
  expect(account.paused_reason).not.toBeNull();
  engine.clock.jump(-DAY * 1_000);
  const from = engine.clock.now();
  await soon(() => telegram.delivered.length === 1);
  expect(telegram.delivered[0]?.at).toBeGreaterThanOrEqual(from + 30_000);
});

it("a bulk message that rested for the daily limit while the host's clock was ahead goes on once the clock is set right", async () => {
  const seller = await engine.newSeller({ dailyCap: 2 });
  const telegram = createFakeTelegram(engine.clock);
  for (let index = 0; index < 4; index += 1) await newLead(engine, seller, { lastMessageAt: null });
  engine.clock.jump(3 * DAY * 1_000);
  await engine.startSending(seller, telegram, 0.5);
  const id = await bulk.started(seller);
  await bulk.paused(seller, id);
  expect(telegram.delivered).toHaveLength(2);
  engine.clock.jump(-3 * DAY * 1_000);
  await soon(async () => (await bulk.read(seller, id)).status === "completed");
  const job = await bulk.read(seller, id);
  expect([job.sent_count, job.failed_count, telegram.delivered.length]).toEqual([4, 0, 4]);
});
