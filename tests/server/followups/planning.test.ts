import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { Deps } from "../../../server/core/deps.ts";
import type { DbOrTx } from "../../../server/db/index.ts";
import { listOverdue } from "../../../server/followups/overdue.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { refreshStalePlans } from "../../../server/followups/stale-plans.ts";
import { newStep, ownEngine, type Seller, startTestEngine } from "../../support/engine.ts";
import { untilLocked } from "../../support/waiting.ts";
import { isRealPostgres } from "../../support/database.ts";
import { rowsOf } from "../../support/rows.ts";
import { runDueIndex, runStandings } from "../../../tools/chaos/models/due-index.ts";

const engine = await ownEngine();

/** Calls `look` in the planner's transaction, after it wrote the messages and before it commits. */
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
  rowsOf(engine.deps.db, "lead_due", { owner_id: seller.id }, ["lead_id", "due_at"]);

/** Adds leads that all but the last replied in the same second as our message; the index does not see these replies. */
async function answeredAtOnce(seller: Seller, count: number, isImported = false) {
  const { db } = engine.deps;
  const at = sql`${engine.clock.iso()}::timestamptz`;
  await sql`insert into messages (owner_id, account_user_id, peer_user_id, message_id, is_outgoing, sent_at)
    select ${seller.id}::uuid, 1, n, n, false, ${at} from generate_series(1, ${count - 1}::int) n`.execute(db);
  await sql`insert into leads (owner_id, telegram_user_id, stage_id, created_at, imported_at, stage_entered_at, last_manual_at, last_inbound_at)
    select ${seller.id}::uuid, n, ${seller.stageId}::uuid, ${at} - interval '4 hours', case when ${isImported} then ${at} end, ${at} - interval '4 hours',
      sent, case when n < ${count}::int then sent end
    from generate_series(1, ${count}::int) n, lateral (select ${at} - interval '3 hours' + n * interval '1 second') s(sent)`.execute(
    db,
  );
  await refreshStalePlans(db);
}

test.skipIf(!isRealPostgres)("plans each step once in two concurrent processes, without blocking", async () => {
  const { db } = engine.deps;
  const sellers = [await sellerWithStep(), await sellerWithStep(), await sellerWithStep()];
  for (const seller of sellers)
    await sql`insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at)
        select ${seller.id}::uuid, n, ${seller.stageId}::uuid, ${engine.clock.iso()}::timestamptz,
          ${engine.clock.iso()}::timestamptz - interval '2 hours' - n * interval '1 second' from generate_series(1, 80) n`.execute(
      db,
    );
  await refreshStalePlans(db);
  const bothWrote = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  let halves = 0;
  const first = planFollowups(
    whilePlanning(async () => {
      halves += 1;
      if (halves === 2) bothWrote.resolve();
      await end.promise;
    }),
  );
  await bothWrote.promise;
  // The second run finds the same rows and waits in both halves.
  const second = planFollowups(engine.deps);
  await untilLocked(db, 2);
  end.resolve();
  expect(await Promise.all([first, second])).toEqual([240, 0]);
  const { rows } = await sql<{ n: number; names: number; ids: number }>`
      select count(*)::int as n, count(distinct dedupe_key)::int as names, count(distinct random_id)::int as ids from outbox
      where owner_id = any(${sellers.map(({ id }) => id)}::uuid[])`.execute(db);
  expect(rows).toEqual([{ n: 240, names: 240, ids: 240 }]);
  for (const seller of sellers) expect(await candidates(seller)).toEqual([]);
});

test("plans a due step after a thousand refused candidates", async () => {
  const seller = await sellerWithStep();
  await answeredAtOnce(seller, 1_002);
  expect(await candidates(seller)).toHaveLength(1_002);
  expect(await planFollowups(engine.deps)).toBe(1);
  // The next run skips them all. The index contains a lead again after a new manual message.
  expect(await candidates(seller)).toEqual([]);
  await sql`update leads set last_manual_at = last_manual_at + interval '1 second' where owner_id = ${seller.id}::uuid and telegram_user_id = 1`.execute(
    engine.deps.db,
  );
  expect(await candidates(seller)).toHaveLength(1);
  expect(await planFollowups(engine.deps)).toBe(1);
});

test("finds every step by index that the rule finds, and counts leads by state", async () => {
  const own = await startTestEngine();
  onTestFinished(() => own.stop());
  const seen = await runDueIndex(own, 5);
  expect([seen.due > 40, seen.overdue > 40, seen.stuck > 10]).toEqual([true, true, true]);
  await runStandings(own);
});

test("lists an overdue lead after 200 who replied", async () => {
  const seller = await sellerWithStep();
  await answeredAtOnce(seller, 201, true);
  const { total, leads } = await listOverdue(engine.deps, seller.id);
  expect([total, leads.length]).toEqual([1, 1]);
});
