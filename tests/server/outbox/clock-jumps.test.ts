import { expect, it } from "vitest";
import { runClockJumps } from "../../../tools/chaos/models/clock-jumps.ts";
import { bulkCalls } from "../../support/bulk-calls.ts";
import { createFakeTelegram, lostAnswer, refusal } from "../../support/fake-telegram.ts";
import { newLead } from "../../support/engine.ts";
import { ownEngine } from "../../support/servers.ts";
import { rowOf, rowsOf } from "../../support/rows.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** A small part of the day that a message waits when it believes a clock that was ahead. */
const SOON_MS = 30 * 60_000;

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
  expect(await runClockJumps(engine, [HOUR, -HOUR, DAY, -DAY, -HOUR, HOUR, -DAY, DAY])).toBe(28);
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
  expect((await rowOf(engine.deps.db, "telegram_sessions", { id: seller.accountId })).paused_reason).not.toBeNull();
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
