import { afterAll, beforeAll, expect, it } from "vitest";
import { planFollowups } from "../../../server/followups/plan.ts";
import { bulkCalls, type BulkCalls } from "../../../tests/support/bulk-calls.ts";
import { newLead, newStep, startTestEngine, type TestEngine } from "../../../tests/support/engine.ts";
import { refusal } from "../../../tests/support/fake-telegram.ts";
import { randomStream } from "../../../tests/support/seed.ts";

/** `npm run chaos -- rhythm` sends ten thousand. */
const SENDS = Number(process.env["RHYTHM_SENDS"] ?? 120);
const SEED = Number(process.env["RHYTHM_SEED"] ?? Date.now() % 1_000_000);
const HOUR_MS = 3_600_000;
const BULK_GAP_MS = 2_000;
const STEP_GAP_MS = 1_000;
const FLOOD_WAITS = [1, 30, 3_600, 86_400];

let engine: TestEngine;
let bulk: BulkCalls;
beforeAll(async () => {
  engine = await startTestEngine();
  bulk = bulkCalls(engine);
});
afterAll(() => engine.stop());

it(`keeps the rhythm of ${SENDS} sends on a moved clock, bulk and follow-ups, through flood waits and restarts (seed ${SEED})`, async () => {
  const random = randomStream(SEED);
  const { seller, leads, telegram } = await bulk.sellerWithLeads(SENDS, { automated: true });
  // Without a stage they get only the bulk message, no steps.
  await engine.deps.db.updateTable("leads").set({ stage_id: null }).where("owner_id", "=", seller.id).execute();
  await newStep(engine, seller, { message: "Step", order: 0, delayHours: 24 });
  let running = await engine.startSending(seller, telegram, random());
  const id = await bulk.start(seller, { throttle: String(BULK_GAP_MS / 1000) });
  const waits: { from: number; until: number }[] = [];
  /** Advances the clock in steps of random length until the next call; the steps grow through hours without sending. */
  const nextCall = async () => {
    const before = telegram.calls.length;
    for (let idle = 0; telegram.calls.length === before; idle += 1) {
      await engine.advance((0.05 + random() ** 3 * 4) * 1.05 ** Math.max(0, idle - 20));
    }
  };
  let steps = 0;
  for (let turn = 0; telegram.delivered.length < SENDS + steps; turn += 1) {
    if (turn % 40 === 7) {
      await newLead(engine, seller, { enteredAt: engine.clock.now() - 25 * HOUR_MS });
      steps += await planFollowups(engine.deps);
    }
    const isRefused = turn % 30 === 11 && telegram.delivered.length < SENDS;
    const seconds = FLOOD_WAITS[waits.length % FLOOD_WAITS.length] ?? 1;
    if (isRefused) telegram.fail(refusal(`FLOOD_WAIT_${seconds}`, 420));
    await nextCall();
    if (!isRefused) continue;
    const from = telegram.calls.at(-1)?.at ?? 0;
    waits.push({ from, until: from + seconds * 1000 });
    if (random() < 0.5) {
      await running.stop();
      running = await engine.startSending(seller, telegram, random());
    }
    // Advances to just before the end of the wait, in three steps.
    for (const part of [3, 2, 1]) {
      await engine.advance(Math.max(0, (from + seconds * 1000 - 500 - engine.clock.now()) / part / 1000));
    }
  }
  const job = await bulk.untilFinished(seller, id);
  expect({ sent: job.sent_count, failed: job.failed_count, status: job.status }).toEqual({
    sent: SENDS,
    failed: 0,
    status: "completed",
  });
  expect(new Set(telegram.delivered.map(({ to, text }) => `${text} ${to}`)).size).toBe(SENDS + steps);
  expect(leads.every(({ telegramUserId }) => telegram.delivered.some(({ to }) => to === telegramUserId))).toBe(true);
  expect(tooClose(telegram.calls)).toEqual([]);
  const inWaits = telegram.calls.filter(({ at }) => waits.some(({ from, until }) => at > from && at < until));
  expect(inWaits).toEqual([]);
  expect(waits.length).toBeGreaterThan(1);
}, 1_800_000);

/** Returns the calls that followed the previous one sooner than the slower of both gaps allows. */
function tooClose(calls: readonly { at: number; text: string }[]): string[] {
  const gapOf = (text: string) => (text === "Step" ? STEP_GAP_MS : BULK_GAP_MS);
  return calls.slice(1).flatMap((call, index) => {
    const before = calls[index];
    if (before === undefined) return [];
    const least = Math.max(gapOf(call.text), gapOf(before.text));
    return call.at - before.at < least ? [`${call.text} ${call.at - before.at} ms after ${before.text}`] : [];
  });
}
