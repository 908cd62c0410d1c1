import { describe, expect, it } from "vitest";
import { planFollowups } from "../../../server/followups/index.ts";
import { createFakeTelegram, newLead, newStep, type FakeTelegram, type Seller } from "../../support/engine.ts";
import { ownEngine } from "../../support/servers.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

const engine = await ownEngine();

async function pass(seconds: number) {
  await engine.advance(seconds);
  await planFollowups(engine.deps);
}
/** Lets time pass until Telegram has as many messages. */
const got = async (telegram: FakeTelegram, count: number) => {
  await engine.clock.passUntil(() => telegram.delivered.length >= count || null);
  expect(telegram.delivered).toHaveLength(count);
};

describe("switching automation on", () => {
  async function sellerWithBacklog() {
    const seller = await engine.newSeller({ automated: true });
    await newStep(engine, seller, { message: "Step 1", order: 0, delayHours: 24 });
    const old = await newLead(engine, seller, { name: "Old", enteredAt: engine.clock.now() - 5 * DAY * 1000 });
    const recent = await newLead(engine, seller, { name: "Recent", enteredAt: engine.clock.now() - 30 * HOUR * 1000 });
    const telegram = createFakeTelegram(engine.clock);
    await engine.startSending(seller, telegram);
    return { seller, old, recent, telegram };
  }
  const call = (seller: Pick<Seller, "id">, method: "GET" | "POST", url: string, payload?: object) =>
    engine.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${seller.id}` },
      ...(payload === undefined ? {} : { payload }),
    });

  it("sends what became due within a day, and lists what was overdue for longer", async () => {
    const { seller, old, recent, telegram } = await sellerWithBacklog();
    await pass(60);
    await got(telegram, 1);
    expect(telegram.delivered[0]?.to).toBe(recent.telegramUserId);
    const listed = (await call(seller, "GET", "/api/followups/overdue")).json<{
      total: number;
      leads: { lead_id: string }[];
    }>();
    expect({ total: listed.total, ids: listed.leads.map(({ lead_id: id }) => id) }).toEqual({
      total: 1,
      ids: [old.id],
    });
  });

  it("sends the overdue ones once the person says so", async () => {
    const { seller, old, telegram } = await sellerWithBacklog();
    const confirmed = await call(seller, "POST", "/api/followups/overdue/confirm", { lead_ids: [old.id] });
    expect(confirmed.json()).toEqual({ planned: 1 });
    await got(telegram, 1);
    expect(telegram.delivered[0]?.to).toBe(old.telegramUserId);
    expect((await call(seller, "GET", "/api/followups/overdue")).json()).toEqual({ total: 0, leads: [] });
  });

  it("sends one overdue step a lead after days without a server, at the account's rhythm", async () => {
    const seller = await engine.newSeller({ automated: true });
    for (let order = 0; order < 3; order += 1)
      await newStep(engine, seller, { message: `Step ${order + 1}`, order, delayHours: 1 });
    for (let index = 0; index < 3; index += 1) await newLead(engine, seller, { enteredAt: engine.clock.now() });
    await pass(72 * HOUR);
    const telegram = createFakeTelegram(engine.clock);
    await engine.startSending(seller, telegram);
    await got(telegram, 3);
    await planFollowups(engine.deps);
    await engine.idle();
    expect(telegram.delivered.map(({ text }) => text)).toEqual(["Step 1", "Step 1", "Step 1"]);
    const gaps = telegram.calls.slice(1).map(({ at }, index) => at - (telegram.calls[index]?.at ?? 0));
    // A call's moment is read a little after the one that the gap counts from: on a busy machine, some milliseconds.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.9 * 1_000);
  });
});
