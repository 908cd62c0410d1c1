import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { finishRemovals } from "../../../server/stages/removal-lanes.ts";
import { removeStage } from "../../../server/stages/removal.ts";
import { newStage, newStep, ownEngine, type Seller } from "../../support/engine.ts";

const LEADS = 4_500;

const engine = await ownEngine();

/** Creates a seller with a first stage of one step, and a second stage with many leads. */
async function sellerWithFullStage(): Promise<{ seller: Seller; full: string }> {
  const seller = await engine.newSeller({ automated: true });
  await newStep(engine, seller, { message: "Step", order: 0, delayHours: 24 });
  const full = await newStage(engine, seller, "Full", 2);
  await sql`insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at, followup_order_sent)
    select ${seller.id}::uuid, i, ${full}::uuid, ${engine.clock.iso()}::timestamptz, ${engine.clock.iso()}::timestamptz, 3
    from generate_series(1000001, 1000000 + ${LEADS}::int) i`.execute(engine.deps.db);
  return { seller, full };
}

const remove = (seller: Seller, stageId: string) =>
  engine.deps.db.transaction().execute((tx) => removeStage(tx, seller.id, stageId, engine.clock.iso()));

async function countLeads(seller: Seller) {
  const { rows } = await sql<Record<string, number>>`
    select count(*)::int as leads, count(*) filter (where stage_id = ${seller.stageId}::uuid)::int as arrived,
      count(*) filter (where stage_entry_epoch = 2 and followup_order_sent = 0)::int as entered,
      (select count(*)::int from stage_history where owner_id = ${seller.id}::uuid and reason = 'stage_deleted' and epoch = 2) as reminded,
      (select total from lead_totals where owner_id = ${seller.id}::uuid and stage_id = ${seller.stageId}::uuid) as counted,
      (select sum(total)::int from lead_totals where owner_id = ${seller.id}::uuid) as counted_in_all,
      count(*) filter (where held_at = stage_entered_at and held_until is null)::int as held,
      (select count(*)::int from lead_due where owner_id = ${seller.id}::uuid) as due,
      (select count(*)::int from stage_removals where owner_id = ${seller.id}::uuid and state = 'moving') as open
    from leads where owner_id = ${seller.id}::uuid`.execute(engine.deps.db);
  return rows[0];
}
const arrived = async (seller: Seller) => (await countLeads(seller))?.["arrived"] ?? 0;
const counted = ["leads", "arrived", "entered", "reminded", "counted", "counted_in_all", "held"];
const ALL = { ...Object.fromEntries(counted.map((name) => [name, LEADS])), due: 0, open: 0 };

describe("a stage with many leads", () => {
  it("is deleted at once; its leads move once each, also after a crash", async () => {
    const { seller, full } = await sellerWithFullStage();
    await remove(seller, full);
    const part = await countLeads(seller);
    expect(part).toMatchObject({ leads: LEADS, open: 1, counted_in_all: LEADS });
    expect(part?.["arrived"]).toBeLessThan(LEADS);
    expect(part?.["reminded"]).toBe(part?.["arrived"]);
    await Promise.all([finishRemovals(engine.deps), finishRemovals(engine.deps, { ownerId: seller.id })]);
    expect(await countLeads(seller)).toEqual(ALL);
  });

  it("moves its leads to the current first stage, which cannot be deleted then", async () => {
    const { seller, full } = await sellerWithFullStage();
    const later = await newStage(engine, seller, "Later", 3);
    await remove(seller, full);
    await remove(seller, seller.stageId);
    await expect(remove(seller, later)).rejects.toMatchObject({ status: 409, code: "last_stage_in_use" });
    await finishRemovals(engine.deps, { ownerId: seller.id });
    expect(await countLeads({ ...seller, stageId: later })).toMatchObject({ leads: LEADS, arrived: LEADS, open: 0 });
  });

  it("moves the rest of its leads in the background after a while", async () => {
    const { seller, full } = await sellerWithFullStage();
    await remove(seller, full);
    const first = await arrived(seller);
    expect(await finishRemovals(engine.deps, { ownerId: seller.id, forMs: 0 })).toBe(false);
    const some = await arrived(seller);
    expect(some).toBeGreaterThan(first);
    expect(some).toBeLessThan(LEADS);
    expect(await countLeads(seller)).toMatchObject({ open: 1 });
    expect(await finishRemovals(engine.deps, { ownerId: seller.id })).toBe(true);
    expect(await countLeads(seller)).toEqual(ALL);
  });
});
