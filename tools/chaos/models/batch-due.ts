import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect } from "vitest";
import { moveLeads, undoMoves } from "../../../server/leads/stage-move.ts";
import { newStage, newStep, type Seller, type TestEngine } from "../../../tests/support/engine.ts";

/** More leads than are updated one by one. */
const LEADS = 240;

/** Adds leads in the seller's first stage, each with a different combination of what holds or delays a step. */
async function mixedLeads(engine: TestEngine, seller: Seller, stepId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into leads (owner_id, telegram_user_id, stage_id, created_at, stage_entered_at, followup_order_sent, last_followup_sent_at, last_inbound_at,
      last_manual_at, unreachable_reason, opted_out_at, held_at, held_until, imported_at, skipped_steps, skipped_epoch, skipped_until)
    select ${seller.id}::uuid, 1000000 + n, ${seller.stageId}::uuid, at - interval '9 days', at - interval '8 days', n % 3,
      case when n % 3 > 0 then at - interval '7 days' end, case when n % 5 = 1 then at + interval '1 day' else at - interval '9 days' end,
      case when n % 11 = 1 then at + interval '2 days' end, case when n % 7 = 1 then 'BLOCKED' end, case when n % 13 = 1 then at end,
      case when n % 4 > 1 then at end, case when n % 4 = 3 then at + interval '90 days' end, case when n % 17 = 1 then at + interval '99 days' end,
      case when n % 24 in (1, 4) then array[${stepId}::uuid] when n % 24 = 16 then array[gen_random_uuid()] end,
      case when n % 24 in (1, 4, 16) then 1 + n % 2 end, case when n % 24 in (1, 4, 16) then at end
    from generate_series(1, ${LEADS}::int) n, (select ${engine.clock.iso()}::timestamptz as at) moment returning id`.execute(
    engine.deps.db,
  );
  return rows.map(({ id }) => id).toSorted();
}

/** Returns every due step of the seller's leads, as stored and as computed per lead. */
async function due(engine: TestEngine, seller: Seller) {
  const of = (table: string) =>
    sql<
      Record<string, unknown>
    >`select lead_id, due_at, is_backlog from ${sql.table(table)} where owner_id = ${seller.id}::uuid
      order by lead_id`.execute(engine.deps.db);
  return { stored: (await of("lead_due")).rows, looked: (await of("due_candidates")).rows };
}

/**
 * Moves many leads at once, there and back, and compares the stored due steps with computed ones. @returns how many were due after the move
 */
export async function runBatchDue(engine: TestEngine): Promise<number> {
  const seller = await engine.newSeller({ automated: true });
  await newStep(engine, seller, { message: "First", order: 0, delayHours: 24 });
  const second = await newStep(engine, seller, { message: "Second", order: 1, delayHours: 48 });
  const withoutSteps = await newStage(engine, seller, "Stepless", 2);
  const next = await newStage(engine, seller, "Next", 3);
  await newStep(engine, { ...seller, stageId: next }, { message: "Hello", order: 0, delayHours: 12 });
  const leadIds = await mixedLeads(engine, seller, second);
  const since = engine.clock.iso();
  const move = (toStageId: string, batchId: string) =>
    engine.deps.db
      .transaction()
      .execute((tx) => moveLeads(tx, { ownerId: seller.id, leadIds, toStageId, at: since, byKey: null, batchId }));
  const undo = (batchId: string) =>
    engine.deps.db.transaction().execute((tx) => undoMoves(tx, { ownerId: seller.id, leadIds, batchId, since }));
  const before = await due(engine, seller);
  expect(before.stored).toEqual(before.looked);
  expect(new Set(before.stored.map(({ is_backlog: isBacklog }) => isBacklog)).size).toBe(2);

  const there = randomUUID();
  expect(await move(next, there)).toBe(LEADS);
  const moved = await due(engine, seller);
  expect(moved.stored).toEqual(moved.looked);
  expect(moved.stored.length).toBeGreaterThan(50);
  expect(moved.stored).not.toEqual(before.stored);
  expect(await undo(there)).toBe(LEADS);
  expect(await due(engine, seller)).toEqual(before);

  const away = randomUUID();
  expect(await move(withoutSteps, away)).toBe(LEADS);
  expect(await due(engine, seller)).toEqual({ stored: [], looked: [] });
  expect(await undo(away)).toBe(LEADS);
  expect(await due(engine, seller)).toEqual(before);
  return moved.stored.length;
}
