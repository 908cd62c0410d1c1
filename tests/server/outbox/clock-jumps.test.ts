import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { planFollowups } from "../../../server/followups/index.ts";
import { claimNext } from "../../../server/outbox/claim.ts";
import { bulkCalls, type BulkCalls } from "../../support/bulk-calls.ts";
import { createFakeTelegram, type FakeTelegram, lostAnswer, refusal } from "../../support/fake-telegram.ts";
import { newLead, newStep, startTestEngine, type Seller, type TestEngine } from "../../support/engine.ts";
import { waitFor } from "../../support/waiting.ts";

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

/** The account as a sender of its own holds it. */
const accountOf = (seller: Seller, telegram: FakeTelegram) => ({
  accountId: seller.accountId,
  userId: seller.id,
  telegramUserId: seller.telegramUserId,
  fence: 0n,
  port: telegram.port,
  signal: new AbortController().signal,
});

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

it("a message whose answer was lost while the host's clock was ahead is asked for again soon after the clock is set right", async () => {
  const { seller, telegram } = await bulk.sellerWithLeads(2);
  engine.clock.advance(DAY);
  telegram.fail(lostAnswer(), { afterDelivery: true });
  await engine.startSending(seller, telegram, 0.5);
  const id = await bulk.started(seller);
  await waitFor(async () => {
    const open = await engine.deps.db
      .selectFrom("outbox")
      .select("state")
      .where("owner_id", "=", seller.id)
      .where("is_uncertain", "=", true)
      .execute();
    expect(open).toEqual([{ state: "pending" }]);
  });
  engine.clock.advance(-DAY);
  // A small part of the day that it waits for when the clock's own time is believed.
  await waitFor(async () => {
    await engine.advance(0.3);
    expect(telegram.calls).toHaveLength(3);
  });
  const job = await bulk.finished(seller, id);
  expect([job.status, job.sent_count, telegram.delivered.length]).toEqual(["completed", 2, 2]);
});

it("a wait that Telegram asked for while the host's clock was ahead is kept whole, and no longer, once the clock is set right", async () => {
  const { seller, telegram } = await bulk.sellerWithLeads(1);
  engine.clock.advance(DAY);
  telegram.fail(refusal("FLOOD_WAIT_30", 420));
  await engine.startSending(seller, telegram, 0.5);
  await bulk.started(seller);
  await waitFor(async () => {
    const account = await engine.deps.db
      .selectFrom("telegram_sessions")
      .select("paused_reason")
      .where("id", "=", seller.accountId)
      .executeTakeFirstOrThrow();
    expect(account.paused_reason).not.toBeNull();
  });
  engine.clock.advance(-DAY);
  const from = engine.clock.now();
  // A small part of the day that it waits for when the clock's own time is believed.
  await waitFor(async () => {
    await engine.advance(2);
    expect(telegram.delivered).toHaveLength(1);
  });
  expect(telegram.delivered[0]?.at).toBeGreaterThanOrEqual(from + 30_000);
});

it("a bulk message that rested for the daily limit while the host's clock was ahead goes on once the clock is set right", async () => {
  const seller = await engine.newSeller({ dailyCap: 2 });
  const telegram = createFakeTelegram(engine.clock);
  for (let index = 0; index < 4; index += 1) await newLead(engine, seller, { lastMessageAt: null });
  engine.clock.advance(3 * DAY);
  await engine.startSending(seller, telegram, 0.5);
  const id = await bulk.started(seller);
  await bulk.paused(seller, id);
  expect(telegram.delivered).toHaveLength(2);
  engine.clock.advance(-3 * DAY);
  // A small part of the days that it waits for when the clock's own time is believed.
  const job = await waitFor(async () => {
    await engine.advance(2);
    const read = await bulk.read(seller, id);
    expect(read.status).toBe("completed");
    return read;
  });
  expect([job.sent_count, job.failed_count, telegram.delivered.length]).toEqual([4, 0, 4]);
});

it("what rested for the daily limit goes out at midnight, also by a look at the queue that began a moment before", async () => {
  const seller = await engine.newSeller({ dailyCap: 1 });
  const telegram = createFakeTelegram(engine.clock);
  for (let index = 0; index < 2; index += 1) await newLead(engine, seller, { lastMessageAt: null });
  const sending = await engine.startSending(seller, telegram);
  const id = await bulk.started(seller);
  const midnight = Date.parse((await bulk.paused(seller, id)).paused_until ?? "");
  await sending.stop();
  engine.clock.advance((midnight - engine.clock.now()) / 1_000);
  const account = { ...accountOf(seller, telegram), fence: 1n };
  const look = () => claimNext({ deps: engine.deps, account, random: () => 0.5 });
  const now = vi.spyOn(engine.clock, "now").mockReturnValueOnce(midnight - 1);
  try {
    await look();
    expect((await look()).claim).toMatchObject({ kind: "bulk", jobId: id });
  } finally {
    now.mockRestore();
  }
});

it("a step that was planned while the clock was ahead is looked at once before its hours begin, and then rests until they do", async () => {
  const opening = Math.ceil(engine.clock.now() / (HOUR * 1_000)) * HOUR * 1_000;
  const startHour = new Date(opening).getUTCHours();
  const seller = await engine.newSeller({ automated: true, startHour, endHour: (startHour + 8) % 24 });
  const telegram = createFakeTelegram(engine.clock);
  await newStep(engine, seller, { message: "Step", order: 0, delayHours: 24 });
  await newLead(engine, seller, { enteredAt: engine.clock.now() - 25 * HOUR * 1_000 });
  engine.clock.advance(6 * HOUR);
  expect(await planFollowups(engine.deps)).toBe(1);
  engine.clock.advance(-6 * HOUR);
  const account = accountOf(seller, telegram);
  const claimed = await claimNext({ deps: engine.deps, account, random: () => 0.5 });
  expect(claimed).toEqual({ claim: null, until: expect.any(Number) });
  expect("until" in claimed && claimed.until).toBeGreaterThanOrEqual(opening);
});

it("a step that was planned after a look at the queue had read the clock goes out by that look", async () => {
  const seller = await engine.newSeller({ automated: true });
  const telegram = createFakeTelegram(engine.clock);
  const stepId = await newStep(engine, seller, { message: "Step", order: 0, delayHours: 24 });
  await newLead(engine, seller, { enteredAt: engine.clock.now() - 23 * HOUR * 1_000 });
  const before = engine.clock.now();
  engine.clock.advance(2 * HOUR);
  expect(await planFollowups(engine.deps)).toBe(1);
  const now = vi.spyOn(engine.clock, "now").mockReturnValueOnce(before).mockReturnValueOnce(before);
  try {
    const claimed = await claimNext({ deps: engine.deps, account: accountOf(seller, telegram), random: () => 0.5 });
    expect(claimed.claim).toMatchObject({ kind: "followup", followupId: stepId, text: "Step" });
  } finally {
    now.mockRestore();
  }
});

it("a clock that is set back in the middle of a look at the queue, or of a send, holds up neither", async () => {
  const { seller, telegram } = await bulk.sellerWithLeads(60);
  const now = engine.clock.now;
  let [reads, setBackAfter] = [0, Infinity];
  vi.spyOn(engine.clock, "now").mockImplementation(() => {
    const time = now();
    reads += 1;
    if (reads === setBackAfter) engine.clock.advance(-HOUR);
    return time;
  });
  await engine.startSending(seller, telegram, 0.5);
  await bulk.started(seller);
  for (let more = 1; more <= 10; more += 1) {
    setBackAfter = reads + more;
    await waitFor(() => expect(reads).toBeGreaterThan(setBackAfter));
    const had = telegram.delivered.length;
    await waitFor(() => expect(telegram.delivered.length).toBeGreaterThan(had + 1));
  }
});
