import { expect } from "vitest";
import { planFollowups } from "../../../server/followups/plan.ts";
import { bulkCalls } from "../../../tests/support/bulk-calls.ts";
import { newLead, newStep, type TestEngine } from "../../../tests/support/engine.ts";

const DAY = 86_400;
const BULK_GAP_MS = 2_000;
const STEP_GAP_MS = 1_000;

/**
 * Sets the host's clock forward and back between sends, one jump after another, in seconds.
 * @throws when a message is sent twice, is lost, or leaves too soon after the previous one
 * @returns how many messages were sent
 */
export async function runClockJumps(engine: TestEngine, jumps: readonly number[]): Promise<number> {
  const bulk = bulkCalls(engine);
  const { seller, leads, telegram } = await bulk.sellerWithLeads(3 * jumps.length, { automated: true });
  await engine.deps.db.updateTable("leads").set({ stage_id: null }).where("owner_id", "=", seller.id).execute();
  await newStep(engine, seller, { message: "Step", order: 0, delayHours: 24 });
  await engine.startSending(seller, telegram, 0.5);
  const id = await bulk.start(seller, { throttle: String(BULK_GAP_MS / 1_000) });
  const stepped = [];
  for (const minutes of [0, 1, 2, 3]) {
    const enteredAt = engine.clock.now() - DAY * 1_000 + minutes * 2_000;
    stepped.push(await newLead(engine, seller, { enteredAt }));
  }
  let setBackMs = 0;
  /** The time of each call on a clock that never goes back. Forward jumps count, because the host may have slept. */
  const times: number[] = [];
  const nextCall = async () => {
    const before = telegram.calls.length;
    await engine.clock.passUntil(async () => {
      await planFollowups(engine.deps);
      return telegram.calls.length > before || null;
    });
    for (const { at } of telegram.calls.slice(times.length)) times.push(at + setBackMs);
  };
  for (const seconds of jumps) {
    await nextCall();
    await nextCall();
    // The server is not notified of the jump; it must notice it.
    engine.clock.jump(seconds * 1_000);
    if (seconds < 0) setBackMs -= seconds * 1_000;
  }
  while (telegram.calls.length < leads.length + stepped.length) await nextCall();

  const job = await bulk.untilFinished(seller, id);
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
  return got.length;
}
