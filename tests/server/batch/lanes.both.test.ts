import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { openLanes, placesOf } from "../../../server/batch/lanes.ts";
import { orderBatch, orderUndo, readBatch, stopBatch } from "../../../server/batch/order.ts";
import { newBatchPace, workSlice, type BatchPace } from "../../../server/batch/work.ts";
import { tidyBatches } from "../../../server/batch/worker.ts";
import { othersWait } from "../../../server/core/slice-pace.ts";
import { planByIndexes } from "../../../server/db/index.ts";
import { excludeLeads } from "../../../server/exclusions/index.ts";
import { newStage, startTestEngine, type Seller } from "../../support/engine.ts";
import { countRows } from "../../support/rows-read.ts";
import { waitFor } from "../../support/waiting.ts";
import { isRealPostgres } from "../../support/database.ts";

const LEADS = 600;

const engine = await startTestEngine();
let seller: Seller;
let next: string;
afterAll(() => engine.stop());
beforeEach(async () => {
  seller = await engine.newSeller({ automated: false });
  next = await newStage(engine, seller, "Next", 2);
  await sql`insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at)
    select ${seller.id}::uuid, 3000000 + n, ${seller.stageId}::uuid, at - n * interval '1 minute', at
    from generate_series(1, ${LEADS}::int) n, (select ${engine.clock.iso()}::timestamptz as at) moment`.execute(
    engine.deps.db,
  );
});

const pace = (lane: number): BatchPace => ({ ...newBatchPace(engine.deps, lane), size: 250 });
const read = (id: string) => readBatch(engine.deps.db, seller.id, id, engine.clock.now());

/** A batch that moves all of the seller's leads, worked off in two lanes like those of many more. */
async function inTwoLanes(): Promise<string> {
  const asked = { ownerId: seller.id, key: null, fingerprint: "" };
  const action = { type: "move" as const, stage_id: next };
  const { id } = await orderBatch(engine.deps, asked, { where: { query: {} }, action });
  await twoLanes(id);
  return id;
}
const twoLanes = (id: string) =>
  engine.deps.db
    .updateTable("lead_batches")
    .set({ places: placesOf(LEADS, 2) })
    .where("id", "=", id)
    .execute();

/** How many leads are in the next stage, and how many of them are the newest of all. */
async function moved() {
  const { rows } = await sql<{ all: number; newest: number }>`
    select count(*)::int as all, (count(*) filter (where n <= ${LEADS / 2}))::int as newest from (
      select stage_id, row_number() over (order by created_at desc) as n from leads where owner_id = ${seller.id}::uuid
    ) l where stage_id = ${next}::uuid`.execute(engine.deps.db);
  return rows[0];
}

/** Resolves when so many sessions wait for another one. */
const waiting = (most: number) =>
  waitFor(async () => {
    const { rows } =
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        engine.deps.db,
      );
    expect(rows).toHaveLength(most);
  });

describe("lanes", () => {
  it("share a batch's leads alike, and are open until their last one", () => {
    expect(placesOf(10, 3)).toEqual([0, 3, 6]);
    expect(placesOf(0, 1)).toEqual([0]);
    expect(openLanes([1, 6, 6], 10)).toEqual([
      { index: 0, place: 1, end: 3 },
      { index: 2, place: 6, end: 10 },
    ]);
    expect(openLanes([3, 6, 10], 10)).toEqual([]);
  });

  it("of a batch go on each at its own place, and whoever is through with one helps the other", async () => {
    const id = await inTwoLanes();
    expect(await workSlice(engine.deps, id, pace(1))).toBe("more");
    expect([await moved(), (await read(id)).done]).toEqual([{ all: 250, newest: 0 }, 250]);
    expect(await workSlice(engine.deps, id, pace(0))).toBe("more");
    expect(await moved()).toEqual({ all: 500, newest: 250 });
    expect(await workSlice(engine.deps, id, pace(1))).toBe("more");
    expect(await moved()).toEqual({ all: 550, newest: 250 });
    expect(await workSlice(engine.deps, id, pace(1))).toBe("over");
    expect(await read(id)).toMatchObject({ status: "completed", done: LEADS, changed: LEADS });

    const { id: undo } = await orderUndo(engine.deps, seller.id, id);
    await twoLanes(undo);
    for (const lane of [0, 1, 0]) expect(await workSlice(engine.deps, undo, pace(lane))).toBe("more");
    expect(await moved()).toEqual({ all: 50, newest: 0 });
    expect(await workSlice(engine.deps, undo, pace(0))).toBe("over");
    expect(await read(undo)).toMatchObject({ status: "completed", done: LEADS, changed: LEADS, left: 0 });
    expect(await moved()).toEqual({ all: 0, newest: 0 });
  });

  it("are over at once in a batch of nobody", async () => {
    const asked = { ownerId: seller.id, key: null, fingerprint: "" };
    const action = { type: "move" as const, stage_id: next };
    const { id } = await orderBatch(engine.deps, asked, { where: { query: { stage_id: next } }, action });
    expect(await workSlice(engine.deps, id, pace(0))).toBe("over");
    expect(await read(id)).toMatchObject({ status: "completed", done: 0, total: 0 });
  });

  // The embedded database has one session: nothing happens at the same time there.
  it.skipIf(!isRealPostgres)("are stopped at once: a slice that is under way is not done", async () => {
    const { db } = engine.deps;
    const id = await inTwoLanes();
    expect(await workSlice(engine.deps, id, pace(0))).toBe("more");
    let slices: Promise<string>[] = [];
    await db.transaction().execute(async (tx) => {
      await sql`select from leads where owner_id = ${seller.id}::uuid for update`.execute(tx);
      expect(await othersWait(engine.deps)).toBe(false);
      slices = [workSlice(engine.deps, id, pace(0)), workSlice(engine.deps, id, pace(1))];
      await waiting(2);
      expect(await othersWait(engine.deps)).toBe(true);
      expect(await workSlice(engine.deps, id, pace(0))).toBe("busy");
      await stopBatch(engine.deps, seller.id, id);
    });
    expect(await Promise.all(slices)).toEqual(["over", "over"]);
    expect(await read(id)).toMatchObject({ status: "cancelled", done: 250, changed: 250 });
    expect(await moved()).toEqual({ all: 250, newest: 250 });
  });

  it.skipIf(!isRealPostgres)("in which people come back are stopped once the slice under way is done", async () => {
    const { db } = engine.deps;
    const asked = { ownerId: seller.id, key: null, fingerprint: "" };
    const order = { where: { query: {} }, action: { type: "exclude" as const } };
    const { id } = await orderBatch(engine.deps, asked, order);
    for (const outcome of ["more", "more", "over"]) expect(await workSlice(engine.deps, id, pace(0))).toBe(outcome);
    const { id: undo } = await orderUndo(engine.deps, seller.id, id);
    await twoLanes(undo);
    let slice = Promise.resolve("");
    let stopping = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      await sql`select from lead_totals where owner_id = ${seller.id}::uuid for update`.execute(tx);
      slice = workSlice(engine.deps, undo, pace(0));
      slice.catch(() => {});
      await waiting(1);
      stopping = stopBatch(engine.deps, seller.id, undo);
      stopping.catch(() => {});
      await waiting(2);
    });
    expect(await slice).toBe("more");
    await stopping;
    expect(await read(undo)).toMatchObject({ status: "cancelled", done: 250, changed: 250 });
    const { rows } =
      await sql`select from exclusions where owner_id = ${seller.id}::uuid and undo_until is not null`.execute(db);
    expect(rows).toHaveLength(LEADS - 250);
  });

  it.skipIf(!isRealPostgres).each([
    { table: "lead_totals", by: "stage_id" },
    { table: "lead_due", by: "lead_id" },
  ])("that exclude leads take $table in the order in which everybody does", async ({ table, by }) => {
    const { db } = engine.deps;
    const stages = [seller.stageId, next];
    for (let order = 3; order <= 9; order += 1) stages.push(await newStage(engine, seller, `Stage ${order}`, order));
    const { rows: leads } = await sql<{ id: string }>`
      update leads set stage_id = (${stages}::uuid[])[1 + telegram_user_id % ${stages.length}::int]
      where owner_id = ${seller.id}::uuid returning id`.execute(db);
    await sql`insert into lead_due (lead_id, owner_id, due_at)
      select id, owner_id, ${engine.clock.iso()}::timestamptz from leads where owner_id = ${seller.id}::uuid order by random()`.execute(
      db,
    );
    const theirs = sql`select from ${sql.table(table)} where owner_id = ${seller.id}::uuid and ${sql.ref(by)} is not null`;
    let excluding = Promise.resolve([""]);
    await db.transaction().execute(async (tx) => {
      await sql`${theirs} order by ${sql.ref(by)} limit 1 for update`.execute(tx);
      const whom = { ownerId: seller.id, leadIds: leads.map(({ id }) => id), at: engine.clock.iso() };
      excluding = db.transaction().execute(async (other) => {
        await planByIndexes(other);
        return excludeLeads(other, { ...whom, undoUntil: null, batchId: null });
      });
      excluding.catch(() => {});
      await waiting(1);
      const all = table === "lead_due" ? LEADS : stages.length;
      expect((await sql`${theirs} for update nowait`.execute(tx)).rows).toHaveLength(all);
    });
    expect(await excluding).toHaveLength(LEADS);
  });

  it.skipIf(!isRealPostgres)(
    "that exclude leads hold no tag and no sum while they wait for a stage's total",
    async () => {
      const { db } = engine.deps;
      const owner = sql`${seller.id}::uuid`;
      const [tag, field] = [randomUUID(), randomUUID()];
      const at = sql`${engine.clock.iso()}::timestamptz`;
      await sql`insert into tags (id, owner_id, name, color, created_at) values (${tag}, ${owner}, 'Tag', '#999999', ${at})`.execute(
        db,
      );
      await sql`insert into fields (id, owner_id, name, type, created_at) values (${field}, ${owner}, 'Field', 'number', ${at})`.execute(
        db,
      );
      const { rows } = await sql<{ id: string }>`select id from leads where owner_id = ${owner} limit 1`.execute(db);
      const leadId = rows[0]?.id ?? "";
      await sql`insert into lead_tags (owner_id, tag_id, lead_id) values (${owner}, ${tag}, ${leadId})`.execute(db);
      await sql`insert into lead_fields (owner_id, field_id, lead_id, number_value) values (${owner}, ${field}, ${leadId}, 5)`.execute(
        db,
      );
      let excluding = Promise.resolve([""]);
      await db.transaction().execute(async (tx) => {
        await sql`select from lead_totals where owner_id = ${owner} for update`.execute(tx);
        const whom = { ownerId: seller.id, leadIds: [leadId], at: engine.clock.iso(), undoUntil: null, batchId: null };
        excluding = db.transaction().execute((other) => excludeLeads(other, whom));
        excluding.catch(() => {});
        await waiting(1);
        for (const table of ["tags", "fields", "value_totals"])
          expect(
            (await sql`select from ${sql.table(table)} where owner_id = ${owner} for update nowait`.execute(tx)).rows,
          ).toHaveLength(1);
      });
      expect(await excluding).toEqual([leadId]);
    },
  );

  it.skipIf(!isRealPostgres)(
    "that exclude leads without tags hold no stage's total before these leads go",
    async () => {
      const { db } = engine.deps;
      const owner = sql`${seller.id}::uuid`;
      const { rows } = await sql<{ id: string }>`select id from leads where owner_id = ${owner} limit 1`.execute(db);
      const leadId = rows[0]?.id ?? "";
      await sql`insert into stage_history (owner_id, lead_id, to_stage_id, reason, epoch, at)
      values (${owner}, ${leadId}::uuid, ${seller.stageId}::uuid, 'entered', 1, ${engine.clock.iso()}::timestamptz)`.execute(
        db,
      );
      let excluding = Promise.resolve([""]);
      await db.transaction().execute(async (tx) => {
        await sql`select from stage_history where lead_id = ${leadId}::uuid for update`.execute(tx);
        const whom = { ownerId: seller.id, leadIds: [leadId], at: engine.clock.iso(), undoUntil: null, batchId: null };
        excluding = db.transaction().execute((other) => excludeLeads(other, whom));
        excluding.catch(() => {});
        await waiting(1);
        const totals = sql`select from lead_totals where owner_id = ${owner} and total > 0 for update nowait`;
        expect((await totals.execute(tx)).rows).toHaveLength(1);
      });
      expect(await excluding).toEqual([leadId]);
    },
  );
});

it("an undo reads the tags that it takes back, however many the owner's leads have", async () => {
  const { db, engine: store } = engine.deps;
  const tagAll = async (of: Seller, name: string) => {
    const { rows } = await sql<{ id: string }>`insert into tags (owner_id, name, color, created_at)
      values (${of.id}::uuid, ${name}, '#999999', ${engine.clock.iso()}::timestamptz) returning id`.execute(db);
    const tagId = rows[0]?.id ?? "";
    const asked = { ownerId: of.id, key: null, fingerprint: "" };
    const action = { type: "tag" as const, tag_ids: [tagId] };
    const { id } = await orderBatch(engine.deps, asked, { where: { query: {} }, action });
    while ((await workSlice(engine.deps, id, pace(0))) !== "over");
    return id;
  };
  // The database has seen another batch alone: it expects few leads of this one, and some hundreds that are tagged.
  await tagAll(seller, "Known");
  await sql`analyze lead_batch_targets, lead_tags`.execute(db);
  const id = await tagAll(seller, "New");
  const { id: undo } = await orderUndo(engine.deps, seller.id, id);
  const counted = countRows(store);
  expect(await workSlice({ ...engine.deps, db: counted.db }, undo, pace(0))).toBe("more");
  expect(await read(undo)).toMatchObject({ done: 250, changed: 250 });
  expect(counted.taken().get("lead_tags")).toBeLessThan(5 * 250);
});

it.skipIf(!isRealPostgres)(
  "what an undo needed is forgotten to the last lead, whoever else is at it and stops",
  async () => {
    const { db, clock } = engine.deps;
    const { rows } = await sql<{ id: string }>`
    insert into lead_batches (owner_id, action, status, created_at, finished_at)
    select ${seller.id}::uuid, '{"type":"resume"}', 'completed', at, at from (select ${clock.iso()}::timestamptz as at) moment
    returning id`.execute(db);
    const id = rows[0]?.id ?? "";
    await sql`insert into lead_batch_targets (batch_id, n, lead_id, owner_id)
    select ${id}::uuid, n, gen_random_uuid(), ${seller.id}::uuid from generate_series(1, 5001) n`.execute(db);
    let tidying = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      await sql`delete from lead_batch_targets where batch_id = ${id}::uuid and n = any(array(
      select n from lead_batch_targets where batch_id = ${id}::uuid limit 5000))`.execute(tx);
      tidying = tidyBatches(engine.deps);
      await waiting(1);
    });
    await tidying;
    await tidyBatches(engine.deps);
    expect((await sql`select from lead_batch_targets where batch_id = ${id}::uuid`.execute(db)).rows).toEqual([]);
  },
);
