import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { planFollowups } from "../../../server/followups/index.ts";
import { bulkCalls, type BulkCalls } from "../../support/bulk-calls.ts";
import { newLead, newStep, startTestEngine, type TestEngine } from "../../support/engine.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const BULK_GAP_MS = 2_000;
const STEP_GAP_MS = 1_000;
/** What the timer of a sleep may be early by. */
const EARLY_MS = 5;
/** Pieces of time without a call while there is something to send, ten minutes in all: the rhythm, and a machine that is slower than its clock. */
const MOST_PIECES = 1_000;
/** How the host's clock is set, one after another; all of it together is nothing. */
const JUMPS = [HOUR, -HOUR, DAY, -DAY, -HOUR, HOUR, -DAY, DAY];

let engine: TestEngine;
let bulk: BulkCalls;
beforeAll(async () => {
  engine = await startTestEngine();
  bulk = bulkCalls(engine);
});
afterAll(() => engine.stop());

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
  /** When each call was made, by a clock that only runs on: one that was set forward may have run on while the machine slept. */
  const times: number[] = [];
  const timeCalls = () => {
    while (times.length < telegram.calls.length) times.push((telegram.calls[times.length]?.at ?? 0) + setBackMs);
  };
  const nextCall = async () => {
    const before = telegram.calls.length;
    for (let piece = 0; telegram.calls.length === before; piece += 1) {
      expect(piece).toBeLessThan(MOST_PIECES);
      await planFollowups(engine.deps);
      await engine.advance((piece * 7) % 5 === 0 ? 2 : 0.3);
      await pause(15);
    }
    timeCalls();
  };
  for (const [turn, seconds] of JUMPS.entries()) {
    await nextCall();
    await nextCall();
    if (turn % 2 === 0) await pause(15);
    timeCalls();
    // Nobody tells the server: it notices or does not.
    engine.clock.advance(seconds);
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
  const tooSoon = times.slice(1).flatMap((time, index) => {
    const [before, call] = [telegram.calls[index], telegram.calls[index + 1]];
    const waited = time - (times[index] ?? 0);
    return waited < Math.max(gapOf(before?.text), gapOf(call?.text)) - EARLY_MS
      ? [`${call?.text} after ${waited} ms`]
      : [];
  });
  expect(tooSoon).toEqual([]);
});
