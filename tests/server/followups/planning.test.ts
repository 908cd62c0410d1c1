import { sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import type { Deps } from "../../../server/core/deps.ts";
import type { DbOrTx } from "../../../server/db/index.ts";
import { planFollowups } from "../../../server/followups/plan.ts";
import { refreshStalePlans } from "../../../server/followups/stale-plans.ts";
import { moveLead } from "../../../server/leads/index.ts";
import { newLead, newStep, startTestEngine, type Seller } from "../../support/engine.ts";
import { countRows } from "../../support/rows-read.ts";
import { waitFor } from "../../support/waiting.ts";
import { isRealPostgres } from "../../support/database.ts";

const engine = await startTestEngine();
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

test("hundreds of due steps are planned once each, an owner's in the order in which they came due", async () => {
  const { db } = engine.deps;
  const sellers = [await sellerWithStep(), await sellerWithStep(), await sellerWithStep()];
  const counts = [150, 60, 10];
  for (const [index, seller] of sellers.entries())
    await sql`insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at)
      select ${seller.id}::uuid, n, ${seller.stageId}::uuid, ${engine.clock.iso()}::timestamptz,
        ${engine.clock.iso()}::timestamptz - interval '2 hours' - n * interval '1 second'
      from generate_series(1, ${counts[index]}::int) n`.execute(db);
  expect(await planFollowups(engine.deps)).toBe(220);
  expect(await planFollowups(engine.deps)).toBe(0);
  for (const [index, seller] of sellers.entries()) {
    const { rows } = await sql<{
      n: string;
    }>`select l.telegram_user_id as n from outbox o join leads l on l.id = o.lead_id
      where o.owner_id = ${seller.id}::uuid order by o.id`.execute(db);
    const count = counts[index] ?? 0;
    expect(rows.map(({ n }) => Number(n))).toEqual(Array.from({ length: count }, (_, place) => count - place));
    expect(await candidates(seller)).toEqual([]);
  }
});

test.skipIf(!isRealPostgres)(
  "two processes that plan the same hundreds of steps at once write each of them once, and neither stops the other",
  async () => {
    const { db } = engine.deps;
    const sellers = [await sellerWithStep(), await sellerWithStep(), await sellerWithStep()];
    for (const seller of sellers)
      await sql`insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at)
        select ${seller.id}::uuid, n, ${seller.stageId}::uuid, ${engine.clock.iso()}::timestamptz,
          ${engine.clock.iso()}::timestamptz - interval '2 hours' - n * interval '1 second' from generate_series(1, 80) n`.execute(
        db,
      );
    await refreshStalePlans(db);
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
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
    // The second comes to the same rows, and waits in both of its own halves.
    const second = planFollowups(engine.deps);
    await waitFor(async () => expect((await waiting()).rows).toHaveLength(2));
    end.resolve();
    expect(await Promise.all([first, second])).toEqual([240, 0]);
    const { rows } = await sql<{ n: number; names: number; ids: number }>`
      select count(*)::int as n, count(distinct dedupe_key)::int as names, count(distinct random_id)::int as ids from outbox
      where owner_id = any(${sellers.map(({ id }) => id)}::uuid[])`.execute(db);
    expect(rows).toEqual([{ n: 240, names: 240, ids: 240 }]);
    for (const seller of sellers) expect(await candidates(seller)).toEqual([]);
  },
);

test.skipIf(!isRealPostgres)(
  "a lead that moves while the candidates of its stage are made anew keeps the time of its new stage",
  async () => {
    const { db } = engine.deps;
    const seller = await sellerWithStep();
    const stage = { owner_id: seller.id, name: "Second", order: 2, keywords: ["second"] };
    const second = await db.insertInto("stages").values(stage).returning("id").executeTakeFirstOrThrow();
    await newStep(engine, { ...seller, stageId: second.id }, { message: "And now?", order: 0, delayHours: 2 });
    const leads: string[] = [];
    for (let count = 0; count < 101; count += 1) leads.push((await newLead(engine, seller)).id);
    await refreshStalePlans(db);
    expect(await candidates(seller)).toHaveLength(101);
    await sql`insert into stale_plans (stage_id) values (${seller.stageId}::uuid)`.execute(db);
    const at = new Date(Math.floor(engine.clock.now() / 1000) * 1000);
    const waiting = () =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    let refreshed: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      const by = { reason: "manual" } as const;
      await moveLead(tx, {
        ownerId: seller.id,
        leadId: leads[50] ?? "",
        toStageId: second.id,
        at: at.toISOString(),
        by,
      });
      refreshed = refreshStalePlans(db);
      refreshed.catch(() => {});
      await expect.poll(async () => (await waiting()).rows.length).toBe(1);
    });
    await refreshed;
    const moved = (await candidates(seller)).find(({ lead_id: id }) => id === leads[50]);
    expect(Date.parse(moved?.due_at ?? "")).toBe(at.getTime() + 7_200_000);
  },
);

// The embedded database has one session: nothing happens at the same time there.
test.skipIf(!isRealPostgres)(
  "candidates of several stages are made anew in the order of their leads, as whoever moves them takes them",
  async () => {
    const { db } = engine.deps;
    const sellers = [await sellerWithStep(), await sellerWithStep()].toSorted((a, b) =>
      a.stageId < b.stageId ? -1 : 1,
    );
    const at = engine.clock.iso();
    // The first of all leads is in the second stage.
    for (const [index, { id, stageId }] of sellers.entries())
      await sql`insert into leads (id, owner_id, telegram_user_id, stage_id, created_at, stage_entered_at)
        select ('0000000' || (n * 2 - ${index}::int) || '-0000-4000-8000-000000000000')::uuid, ${id}::uuid, 7000000 + n, ${stageId}::uuid,
          ${at}::timestamptz, ${at}::timestamptz from generate_series(1, 4) n`.execute(db);
    await sql`insert into stale_plans (stage_id) select unnest(${sellers.map(({ stageId }) => stageId)}::uuid[])
      on conflict do nothing`.execute(db);
    const due = sql`select from lead_due where owner_id = any(${sellers.map(({ id }) => id)}::uuid[])`;
    let refreshing = Promise.resolve(false);
    await db.transaction().execute(async (tx) => {
      await sql`${due} order by lead_id limit 1 for update`.execute(tx);
      refreshing = refreshStalePlans(db);
      refreshing.catch(() => {});
      const waiting = () =>
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      await waitFor(async () => expect((await waiting()).rows).toHaveLength(1));
      expect((await sql`${due} for update nowait`.execute(tx)).rows).toHaveLength(8);
    });
    expect(await refreshing).toBe(false);
    expect((await due.execute(db)).rows).toHaveLength(8);
  },
);

test("a large stage's candidates are made anew batch by batch, each of which reads its own leads and none of those before", async () => {
  const { db, engine: store } = engine.deps;
  const seller = await sellerWithStep();
  await sql`insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at)
    select ${seller.id}::uuid, 8000000 + n, ${seller.stageId}::uuid, at, at
    from generate_series(1, 2000) n, (select ${engine.clock.iso()}::timestamptz as at) moment`.execute(db);
  await sql`analyze leads`.execute(db);
  await refreshStalePlans(db);
  await sql`insert into stale_plans (stage_id, after) select ${seller.stageId}::uuid, id from leads
    where owner_id = ${seller.id}::uuid order by id offset 1899 limit 1`.execute(db);
  const counted = countRows(store);
  expect(await refreshStalePlans(counted.db)).toBe(false);
  expect(counted.taken().get("leads")).toBeLessThan(5 * 100);
});
