import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { planFollowups } from "../../../server/followups/plan.ts";
import { foldSettled } from "../../../server/outbox/fold.ts";
import { newLead, newStep, ownEngine, type Seller } from "../../support/engine.ts";
import { changeRows, rowsOf } from "../../support/rows.ts";

const DAY_S = 86_400;

const engine = await ownEngine();

const rowsIn = (table: "outbox" | "ledger", { id }: Seller): Promise<Record<string, unknown>[]> =>
  rowsOf(engine.deps.db, table, { owner_id: id });
const call = (seller: Seller, method: "GET" | "POST", url: string) =>
  engine.clock.passWhile(engine.call(seller, method, url));

async function sendAll(seller: Seller) {
  const telegram = engine.fakeTelegram();
  const sender = await engine.startSending(seller, telegram);
  await engine.allSent(seller);
  await sender.stop();
  return telegram.texts();
}

/** Creates a seller with two steps, one hour apart; the first one was sent to one lead. */
async function sentOne() {
  const seller = await engine.newSeller({ automated: true });
  await newStep(engine, seller, { message: "First", order: 0, delayHours: 1 });
  await newStep(engine, seller, { message: "Second", order: 1, delayHours: 168 });
  const lead = await newLead(engine, seller);
  await planFollowups(engine.deps);
  expect(await sendAll(seller)).toEqual(["First"]);
  return { seller, lead };
}

describe("a settled message", () => {
  it("moves to the ledger after two weeks without its text, pending ones stay", async () => {
    const { seller, lead } = await sentOne();
    const [before] = await rowsIn("outbox", seller);
    await engine.advance(14 * DAY_S - 60);
    await planFollowups(engine.deps);
    expect(await foldSettled(engine.deps)).toBe(0);
    await engine.advance(120);
    expect(await foldSettled(engine.deps)).toBe(1);
    expect(await rowsIn("outbox", seller)).toMatchObject([{ state: "pending", lead_id: lead.id }]);
    const columns = "id kind state lead_id followup_id epoch random_id message_id attempts settled_at".split(" ");
    const same = Object.fromEntries(columns.map((column) => [column, before?.[column]]));
    const renamed = { planned_at: before?.["created_at"], tried_at: before?.["claimed_at"] };
    expect(await rowsIn("ledger", seller)).toMatchObject([{ ...same, ...renamed, excerpt: "First" }]);
  });

  it("still counts as sent, so that a step is not sent twice in a stage entry", async () => {
    const { seller, lead } = await sentOne();
    await foldSettled(engine.deps, -1);
    // As after deleting and restoring an earlier step: the cursor is before the sent step.
    await changeRows(engine.deps.db, "leads", { id: lead.id }, { followup_order_sent: 0, last_followup_sent_at: null });
    expect(await planFollowups(engine.deps)).toBe(0);
    const telegram = engine.fakeTelegram();
    const sender = await engine.startSending(seller, telegram);
    const byHand = await call(seller, "POST", `/followups/send/${lead.id}`);
    expect([byHand.status, telegram.texts()]).toEqual([200, ["Second"]]);
    await foldSettled(engine.deps, -1);
    await engine.advance(60);
    expect((await call(seller, "POST", `/followups/send/${lead.id}`)).status).toBe(409);
    await sender.stop();
  });

  it("moves once, also with concurrent workers", async () => {
    const sellers = [await engine.newSeller(), await engine.newSeller()];
    for (const seller of sellers)
      await sql`insert into outbox (owner_id, kind, priority, dedupe_key, random_id, not_before, created_at, settled_at, state)
        select ${seller.id}::uuid, 'bulk', 4, ${seller.id} || n, n, now(), now(), ${engine.clock.iso()}::timestamptz - interval '15 days', 'sent'
        from generate_series(1, 2100) n`.execute(engine.deps.db);
    const moved = await Promise.all([foldSettled(engine.deps), foldSettled(engine.deps)]);
    expect(moved[0] + moved[1]).toBe(4_200);
    for (const seller of sellers)
      expect([(await rowsIn("outbox", seller)).length, (await rowsIn("ledger", seller)).length]).toEqual([0, 2_100]);
  });

  it("does not block other owners' when it cannot be moved", async () => {
    const [one, other] = [await sentOne(), await sentOne()];
    const [stuck] = await rowsOf(engine.deps.db, "outbox", { owner_id: one.seller.id, state: "sent" });
    await sql`insert into ledger (id, owner_id, kind, state, epoch, random_id, attempts, planned_at, settled_at)
      select id, owner_id, kind, state, epoch, random_id, attempts, created_at, settled_at from outbox where id = ${stuck?.id}`.execute(
      engine.deps.db,
    );
    await expect(foldSettled(engine.deps, -1)).rejects.toThrow("duplicate key");
    expect(await rowsIn("ledger", other.seller)).toHaveLength(1);
  });
});
