import { describe, expect, it } from "vitest";
import { planFollowups } from "../../../server/followups/plan.ts";
import { bulkCalls } from "../../support/bulk-calls.ts";
import { newLead, newStep, ownEngine } from "../../support/engine.ts";
import { refusal } from "../../support/fake-telegram.ts";
import { rowsOf } from "../../support/rows.ts";

const HOUR_MS = 3_600_000;

const engine = await ownEngine();
const bulk = bulkCalls(engine);

describe("an account's one queue", () => {
  it("keeps a bulk job's throttle, and orders manual, follow-up and bulk sends", async () => {
    const seller = await engine.newSeller({ automated: true });
    await newStep(engine, seller, { message: "Step", order: 0, delayHours: 24 });
    const due = await newLead(engine, seller, { enteredAt: engine.clock.now() - 25 * HOUR_MS });
    const others = [];
    for (let index = 0; index < 4; index += 1) others.push(await newLead(engine, seller));
    const id = await bulk.start(seller, { throttle: "0.4", message: "News" });
    await planFollowups(engine.deps);
    const clicked = engine.call(seller, "POST", `/followups/send/${others[3]!.id}`);
    await engine.idle();
    const telegram = await engine.telegramOf(seller);
    expect((await engine.clock.passWhile(clicked)).status).toBe(200);
    await bulk.untilFinished(seller, id);
    const order = telegram.delivered.map(({ to, text }) => `${text} ${to}`);
    expect(order.slice(0, 2)).toEqual([`Step ${others[3]!.telegramUserId}`, `Step ${due.telegramUserId}`]);
    expect(order).toHaveLength(7);
    const gaps = telegram.calls.slice(1).map(({ at }, index) => at - telegram.calls[index]!.at);
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(400);
    expect(telegram.mostAtOnce).toBe(1);
  });

  it("is independent of other accounts' spam limits", async () => {
    const limited = await bulk.sellerWithLeads(3);
    const other = await bulk.sellerWithLeads(3);
    limited.telegram.fail(refusal("PEER_FLOOD"));
    await engine.startSending(limited.seller, limited.telegram);
    await engine.startSending(other.seller, other.telegram);
    const ids = [await bulk.start(limited.seller), await bulk.start(other.seller)];
    expect(await bulk.untilFinished(limited.seller, ids[0]!)).toMatchObject({ status: "failed", sent_count: 0 });
    expect(await bulk.untilFinished(other.seller, ids[1]!)).toMatchObject({ status: "completed", sent_count: 3 });
  });

  it("starts nothing after the response to a cancellation", async () => {
    const { seller } = await bulk.sellerWithLeads(5);
    const { clock } = engine;
    const telegram = await engine.telegramOf(seller, { slowMs: 15 });
    for (let round = 0; round < 20; round += 1) {
      const before = telegram.delivered.length;
      const id = await bulk.start(seller);
      await clock.pass((round * 17) % 180);
      const removed = bulk.remove(seller, id).then(({ status }) => status);
      expect(await clock.passWhile(removed)).toBe(200);
      const callsAtAnswer = telegram.calls.length;
      await clock.pass(120);
      expect(telegram.calls).toHaveLength(callsAtAnswer);
      const sent = await rowsOf(engine.deps.db, "outbox", { job_id: id, state: "sent" }, ["id"]);
      expect(sent).toHaveLength(telegram.delivered.length - before);
    }
  });
});
