import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Deps } from "../../../server/core/deps.ts";
import type { DbOrTx } from "../../../server/db/index.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { moveLead } from "../../../server/leads/index.ts";
import { newLead, newStep, startTestEngine, type Seller, type TestEngine } from "../../support/engine.ts";

let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
});
afterAll(() => engine.stop());

/** Calls back in the planner's own transaction, between its writing of messages and its end. */
const whilePlanning = (look: (tx: DbOrTx) => Promise<void>): Deps => ({
  ...engine.deps,
  bus: {
    ...engine.deps.bus,
    publishAll: async (topic, _, within) => {
      if (topic === "outbox.ready" && within !== undefined) await look(within);
    },
  },
});

async function sellerWithStep(): Promise<Seller> {
  const seller = await engine.newSeller({ automated: true });
  await newStep(engine, seller, { message: "How are you?", order: 0, delayHours: 1 });
  return seller;
}
const candidates = (seller: Seller) =>
  engine.deps.db.selectFrom("lead_due").select(["lead_id", "due_at"]).where("owner_id", "=", seller.id).execute();

test("a lead that enters another stage while its step is planned is planned for there", async () => {
  const seller = await sellerWithStep();
  const lead = await newLead(engine, seller);
  await planFollowups(engine.deps);
  await engine.deps.db.deleteFrom("outbox").where("owner_id", "=", seller.id).execute();
  expect(await candidates(seller)).toHaveLength(1);
  const at = engine.clock.iso();
  const deps = whilePlanning(async (tx) => {
    await moveLead(tx, {
      ownerId: seller.id,
      leadId: lead.id,
      toStageId: seller.stageId,
      at,
      by: { reason: "manual" },
    });
  });
  expect(await planFollowups(deps)).toBe(1);
  expect(await candidates(seller)).toEqual([
    {
      lead_id: lead.id,
      due_at: new Date(Date.parse(at) + 3_600_000)
        .toISOString()
        .replace("Z", "")
        .replace(/\.?0*$/, "Z"),
    },
  ]);
});

test("while the candidates of many stages are made anew, what is due goes out in time", async () => {
  const due = await sellerWithStep();
  await newLead(engine, due);
  await planFollowups(engine.deps);
  await engine.deps.db.deleteFrom("outbox").where("owner_id", "=", due.id).execute();
  for (let index = 0; index < 3; index += 1) {
    const large = await sellerWithStep();
    await newLead(engine, large, { enteredAt: engine.clock.now() });
    await sql`update lead_totals set total = 6000 where owner_id = ${large.id}::uuid`.execute(engine.deps.db);
  }
  const left: number[] = [];
  const deps = whilePlanning(async (tx) => {
    const { n } = await tx
      .selectFrom("stale_plans")
      .select((row) => row.fn.countAll<string>().as("n"))
      .executeTakeFirstOrThrow();
    left.push(Number(n));
  });
  expect(await planFollowups(deps, 0)).toBe(1);
  expect(left).toEqual([2]);
  expect(await engine.deps.db.selectFrom("stale_plans").selectAll().execute()).toEqual([]);
});
