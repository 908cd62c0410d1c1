import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import type { BatchAction } from "../../../domain/batch.ts";
import { openLanes, placesOf } from "../../../server/batch/lanes.ts";
import { startBatch, startUndo, readBatch, stopBatch } from "../../../server/batch/start.ts";
import { newBatchPace, workSlice, type BatchPace } from "../../../server/batch/work.ts";
import { newStage, ownEngine, type Seller } from "../../support/engine.ts";
import { untilLocked } from "../../support/waiting.ts";
import { isRealPostgres } from "../../support/database.ts";
import { changeRows } from "../../support/rows.ts";

const LEADS = 600;

const engine = await ownEngine();
let seller: Seller;
let next: string;
beforeEach(async () => {
  seller = await engine.newSeller({ automated: false });
  next = await newStage(engine, seller, "Next", 2);
  await sql`insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at)
    select ${seller.id}::uuid, 3000000 + n, ${seller.stageId}::uuid, at - n * interval '1 minute', at
    from generate_series(1, ${LEADS}::int) n, (select ${engine.clock.iso()}::timestamptz as at) moment`.execute(
    engine.deps.db,
  );
});

const pace = (lane: number): BatchPace => ({ ...newBatchPace(lane), size: 250 });
const read = (id: string) => readBatch(engine.deps.db, seller.id, id, engine.clock.now());
const start = (action: BatchAction) =>
  startBatch(engine.deps, { ownerId: seller.id, key: null, fingerprint: "" }, { where: { query: {} }, action });

/** Starts a batch that moves all leads of the seller in two lanes, as for far more leads. */
async function inTwoLanes(): Promise<string> {
  const { id } = await start({ type: "move", stage_id: next });
  await twoLanes(id);
  return id;
}
const twoLanes = (id: string) => changeRows(engine.deps.db, "lead_batches", { id }, { places: placesOf(LEADS, 2) });

/** Returns how many leads are in the next stage, and how many of these are the newest of all. */
async function moved() {
  const { rows } = await sql<{ all: number; newest: number }>`
    select count(*)::int as all, (count(*) filter (where n <= ${LEADS / 2}))::int as newest from (
      select stage_id, row_number() over (order by created_at desc) as n from leads where owner_id = ${seller.id}::uuid
    ) l where stage_id = ${next}::uuid`.execute(engine.deps.db);
  return rows[0];
}

describe("lanes", () => {
  it("share a batch's leads evenly, and stay open until the last one", () => {
    expect(placesOf(10, 3)).toEqual([0, 3, 6]);
    expect(placesOf(0, 1)).toEqual([0]);
    expect(openLanes([1, 6, 6], 10)).toEqual([
      { index: 0, place: 1, end: 3 },
      { index: 2, place: 6, end: 10 },
    ]);
    expect(openLanes([3, 6, 10], 10)).toEqual([]);
  });

  it("continue independently, and help each other when done", async () => {
    const id = await inTwoLanes();
    expect(await workSlice(engine.deps, id, pace(1))).toBe("more");
    expect([await moved(), (await read(id)).done]).toEqual([{ all: 250, newest: 0 }, 250]);
    expect(await workSlice(engine.deps, id, pace(0))).toBe("more");
    expect(await moved()).toEqual({ all: 500, newest: 250 });
    expect(await workSlice(engine.deps, id, pace(1))).toBe("more");
    expect(await moved()).toEqual({ all: 550, newest: 250 });
    expect(await workSlice(engine.deps, id, pace(1))).toBe("over");
    expect(await read(id)).toMatchObject({ status: "completed", done: LEADS, changed: LEADS });

    const { id: undo } = await startUndo(engine.deps, seller.id, id);
    await twoLanes(undo);
    for (const lane of [0, 1, 0]) expect(await workSlice(engine.deps, undo, pace(lane))).toBe("more");
    expect(await moved()).toEqual({ all: 50, newest: 0 });
    expect(await workSlice(engine.deps, undo, pace(0))).toBe("over");
    expect(await read(undo)).toMatchObject({ status: "completed", done: LEADS, changed: LEADS, left: 0 });
    expect(await moved()).toEqual({ all: 0, newest: 0 });
  });

  it.skipIf(!isRealPostgres)("of an undo stop after the current slice", async () => {
    const { db } = engine.deps;
    const { id } = await start({ type: "exclude" });
    for (const outcome of ["more", "more", "over"]) expect(await workSlice(engine.deps, id, pace(0))).toBe(outcome);
    const { id: undo } = await startUndo(engine.deps, seller.id, id);
    await twoLanes(undo);
    let slice = Promise.resolve("");
    let stopping = Promise.resolve();
    await db.transaction().execute(async (tx) => {
      await sql`select from lead_totals where owner_id = ${seller.id}::uuid for update`.execute(tx);
      slice = workSlice(engine.deps, undo, pace(0));
      slice.catch(() => {});
      await untilLocked(engine.deps.db, 1);
      stopping = stopBatch(engine.deps, seller.id, undo);
      stopping.catch(() => {});
      await untilLocked(engine.deps.db, 2);
    });
    expect(await slice).toBe("more");
    await stopping;
    expect(await read(undo)).toMatchObject({ status: "cancelled", done: 250, changed: 250 });
    const { rows } =
      await sql`select from exclusions where owner_id = ${seller.id}::uuid and undo_until is not null`.execute(db);
    expect(rows).toHaveLength(LEADS - 250);
  });
});
