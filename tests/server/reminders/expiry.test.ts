import { describe, expect, test } from "vitest";
import { readForecast } from "../../../server/forecast/index.ts";
import { readLedger } from "../../../server/ledger/page.ts";
import { planReminders } from "../../../server/reminders/index.ts";
import { returnAutomation } from "../../../server/settings/index.ts";
import { createFakeTelegram, newLead, type Seller, type SellerOptions } from "../../support/engine.ts";
import { ownEngine } from "../../support/servers.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const EXPIRED = "Expired: it could not be sent within 24 hours of being due.";
const engine = await ownEngine();

const call = (seller: Seller, method: "POST" | "PATCH", url: string, payload: object) =>
  engine.app.inject({
    method,
    url: `/api/reminders${url}`,
    headers: { authorization: `Bearer ${seller.id}` },
    payload,
  });
const setConnected = (seller: Seller, state: "connected" | "disconnected") =>
  engine.deps.db.updateTable("telegram_sessions").set({ state }).where("id", "=", seller.accountId).execute();
const setAccess = (seller: Seller, status: "active" | "canceled") =>
  engine.deps.db.updateTable("subscriptions").set({ status }).where("user_id", "=", seller.id).execute();
const comeBack = (seller: Seller) => returnAutomation(engine.deps.db, seller.id, engine.clock.iso());

/** A seller with a rule for leads that are two days in a stage; no account is connected yet. */
async function sellerWithRule(options?: SellerOptions) {
  const seller = await engine.newSeller(options);
  await setConnected(seller, "disconnected");
  const rule = { stage: "Initial Contact", delay_days: 2, channel_id: "@team", template: "{name}: {days} days" };
  const answer = await call(seller, "POST", "", rule);
  return { seller, ruleId: answer.json<{ id: string }>().id };
}
async function connect(seller: Seller) {
  await setConnected(seller, "connected");
  await comeBack(seller);
  const telegram = createFakeTelegram(engine.clock);
  await engine.startSending(seller, telegram);
  return telegram;
}
const stuckAt = (seller: Seller, at: number, name: string) =>
  newLead(engine, seller, { name, enteredAt: at - 2 * DAY * 1000 });
const linesOf = async (seller: Seller) => {
  const { items } = await readLedger(engine.deps, seller.id, { limit: 50 });
  const lines = items.map(({ lead, state, words }) => [lead?.name ?? null, state, words]);
  return lines.toSorted(([a], [b]) => String(a).localeCompare(String(b)));
};
const texts = (telegram: { delivered: { text: string }[] }) => telegram.delivered.map(({ text }) => text).toSorted();

describe("a reminder that cannot be sent", () => {
  test("goes out within 24 hours of being due, and expires after that", async () => {
    const { seller } = await sellerWithRule();
    const start = engine.clock.now();
    await stuckAt(seller, start + HOUR * 1000, "Ann");
    await stuckAt(seller, start + 3 * HOUR * 1000, "Bea");
    await engine.advance(4 * HOUR);
    expect(await planReminders(engine.deps)).toBe(2);
    await engine.advance(22 * HOUR);
    await planReminders(engine.deps);
    expect(await linesOf(seller)).toEqual([
      ["Ann", "cancelled", EXPIRED],
      ["Bea", "pending", "Waits until Telegram is connected again."],
    ]);
    const telegram = await connect(seller);
    await engine.idle();
    expect(texts(telegram)).toEqual(["Bea: 2 days"]);
  });

  test("is asked for again after its time when it may have been delivered", async () => {
    const { seller } = await sellerWithRule();
    await stuckAt(seller, engine.clock.now(), "Ann");
    await planReminders(engine.deps);
    const uncertain = { is_uncertain: true, attempts: 1, account_user_id: seller.telegramUserId };
    await engine.deps.db.updateTable("outbox").set(uncertain).where("owner_id", "=", seller.id).execute();
    await engine.advance(25 * HOUR);
    await planReminders(engine.deps);
    const telegram = await connect(seller);
    await engine.allSent(seller);
    expect(texts(telegram)).toEqual(["Ann: 2 days"]);
  });
});

describe("after a break in access", () => {
  test("what was due more than 24 hours ago expires, and the rest goes out", async () => {
    const { seller } = await sellerWithRule();
    const telegram = await connect(seller);
    await setAccess(seller, "canceled");
    const start = engine.clock.now();
    await stuckAt(seller, start + DAY * 1000, "Ann");
    await stuckAt(seller, start + 4 * DAY * 1000, "Bea");
    await engine.advance(4 * DAY + 2 * HOUR);
    expect(await planReminders(engine.deps)).toBe(0);
    await setAccess(seller, "active");
    await comeBack(seller);
    expect(await planReminders(engine.deps)).toBe(2);
    await engine.idle();
    expect(texts(telegram)).toEqual(["Bea: 2 days"]);
    expect(await linesOf(seller)).toEqual([
      ["Ann", "cancelled", EXPIRED],
      ["Bea", "sent", "Sent."],
    ]);
  });
});

describe("a reminder that Leadloom itself is late with", () => {
  test("tells of leads who were stuck before the rule, or while it was switched off", async () => {
    const { seller, ruleId } = await sellerWithRule();
    await stuckAt(seller, engine.clock.now() - 9 * DAY * 1000, "Ann");
    expect(await planReminders(engine.deps)).toBe(1);
    const off = await call(seller, "PATCH", `/${ruleId}`, { is_enabled: false });
    await stuckAt(seller, engine.clock.now() + DAY * 1000, "Bea");
    await engine.advance(5 * DAY);
    expect([off.statusCode, await planReminders(engine.deps)]).toEqual([200, 0]);
    await call(seller, "PATCH", `/${ruleId}`, { is_enabled: true });
    expect(await planReminders(engine.deps)).toBe(1);
    const telegram = await connect(seller);
    await engine.allSent(seller);
    expect(texts(telegram)).toEqual(["Bea: 6 days"]);
  });
});

test("the forecast leaves out reminders that expire before the account may send", async () => {
  const { seller } = await sellerWithRule();
  await connect(seller);
  const now = engine.clock.now();
  await stuckAt(seller, now + HOUR * 1000, "Ann");
  await stuckAt(seller, now + 20 * HOUR * 1000, "Bea");
  const namesUntil = async (pausedUntil: number) => {
    const paused = { paused_until: new Date(pausedUntil).toISOString() };
    await engine.deps.db.updateTable("telegram_sessions").set(paused).where("id", "=", seller.accountId).execute();
    const { items } = await readForecast(engine.deps, seller.id, 72);
    return items.map(({ lead }) => lead?.name);
  };
  expect(await namesUntil(now + 24 * HOUR * 1000)).toEqual(["Ann", "Bea"]);
  expect(await namesUntil(now + 26 * HOUR * 1000)).toEqual(["Bea"]);
});
