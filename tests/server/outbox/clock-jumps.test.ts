import { expect, it } from "vitest";
import { runClockJumps } from "../../../tools/chaos/models/clock-jumps.ts";
import { bulkCalls } from "../../support/bulk-calls.ts";
import { newLead, ownEngine } from "../../support/engine.ts";
import { lostAnswer, refusal } from "../../support/fake-telegram.ts";
import { rowOf, rowsOf } from "../../support/rows.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Far less than the day that a message would wait if it trusted a clock that was a day fast. */
const SOON_MS = 30 * 60_000;

const engine = await ownEngine();
const bulk = bulkCalls(engine);

/** Lets time pass until the condition holds. @throws after half an hour */
const soon = (holds: () => boolean | Promise<boolean>) => {
  const latest = engine.clock.monotonic() + SOON_MS;
  return engine.clock.passUntil(async () => {
    if (await holds()) return true;
    expect(engine.clock.monotonic()).toBeLessThan(latest);
    return null;
  });
};

it("sends nothing twice and loses nothing when the host's clock jumps", async () => {
  expect(await runClockJumps(engine, [HOUR, -HOUR, DAY, -DAY, -HOUR, HOUR, -DAY, DAY])).toBe(28);
});

it("retries an unanswered message soon after a fast clock is corrected", async () => {
  const { seller, telegram } = await bulk.sellerWithLeads(2);
  engine.clock.jump(DAY * 1_000);
  telegram.fail(lostAnswer(), { afterDelivery: true });
  await engine.startSending(seller, telegram, 0.5);
  const id = await bulk.start(seller);
  await engine.idle();
  const open = await rowsOf(engine.deps.db, "outbox", { owner_id: seller.id, is_uncertain: true }, ["state"]);
  expect(open).toEqual([{ state: "pending" }]);
  engine.clock.jump(-DAY * 1_000);
  await soon(() => telegram.calls.length === 3);
  const job = await bulk.untilFinished(seller, id);
  expect([job.status, job.sent_count, telegram.delivered.length]).toEqual(["completed", 2, 2]);
});

it("keeps the exact length of a flood wait after a fast clock is corrected", async () => {
  const { seller, telegram } = await bulk.sellerWithLeads(1);
  engine.clock.jump(DAY * 1_000);
  telegram.fail(refusal("FLOOD_WAIT_30", 420));
  await engine.startSending(seller, telegram, 0.5);
  await bulk.start(seller);
  await engine.idle();
  expect((await rowOf(engine.deps.db, "telegram_sessions", { id: seller.accountId })).paused_reason).not.toBeNull();
  engine.clock.jump(-DAY * 1_000);
  const from = engine.clock.now();
  await soon(() => telegram.delivered.length === 1);
  expect(telegram.delivered[0]?.at).toBeGreaterThanOrEqual(from + 30_000);
});

it("resumes a bulk message at its daily limit after a fast clock is corrected", async () => {
  const seller = await engine.newSeller({ dailyCap: 2 });
  const telegram = engine.fakeTelegram();
  for (let index = 0; index < 4; index += 1) await newLead(engine, seller, { lastMessageAt: null });
  engine.clock.jump(3 * DAY * 1_000);
  await engine.startSending(seller, telegram, 0.5);
  const id = await bulk.start(seller);
  await bulk.untilPaused(seller, id);
  expect(telegram.delivered).toHaveLength(2);
  engine.clock.jump(-3 * DAY * 1_000);
  await soon(async () => (await bulk.read(seller, id)).status === "completed");
  const job = await bulk.read(seller, id);
  expect([job.sent_count, job.failed_count, telegram.delivered.length]).toEqual([4, 0, 4]);
});
