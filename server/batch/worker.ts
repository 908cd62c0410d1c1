import { sql } from "kysely";
import { nextTurn, systemClock } from "../core/clock.ts";
import type { Deps, Running } from "../core/deps.ts";
import { LANES, restAfter } from "../core/slices.ts";
import { onTopic, runWorker } from "../core/worker.ts";
import { newBatchPace, workSlice, type BatchPace } from "./work.ts";

/** A lost notification or a killed process delays a batch by at most this long. */
const IDLE_MS = 30_000;
const BUSY_MS = 20;
const RETRY_MS = 5_000;
const TARGETS_AT_ONCE = 5_000;
/** A batch's result can be read for this long: longer than its idempotency key is stored. */
const RETENTION_MS = 8 * 86_400_000;

/**
 * Runs a batch while the caller waits. Other processes may help.
 * @returns false when `forMs` have passed before the end
 */
export async function runBatch(deps: Deps, batchId: string, forMs: number): Promise<boolean> {
  const until = deps.clock.monotonic() + forMs;
  const pace = newBatchPace();
  for (;;) {
    const outcome = await workSlice(deps, batchId, pace);
    if (outcome === "over") return true;
    if (deps.clock.monotonic() >= until) return false;
    if (outcome === "busy") await systemClock.sleep(BUSY_MS);
    else await nextTurn();
  }
}

/**
 * Runs all started batches, a slice of each in turn, so that a large batch does not delay those of other users. Runs as many slices at the
 * same time as a batch has lanes.
 */
export function startBatchWorker(deps: Deps): Running {
  const lanes = Array.from({ length: LANES[deps.engine.kind] }, (_, lane) => startLane(deps, lane));
  return {
    async stop() {
      await Promise.all(lanes.map((worker) => worker.stop()));
    },
  };
}

function startLane(deps: Deps, lane: number): Running {
  const logger = deps.logger.child({ part: "batch" });
  const paces = new Map<string, BatchPace>();
  /** Returns whether there may be more to do. */
  const workOn = async (id: string): Promise<boolean> => {
    const pace = paces.get(id) ?? newBatchPace(lane);
    paces.set(id, pace);
    const began = systemClock.monotonic();
    const outcome = await workSlice(deps, id, pace);
    if (outcome === "over") paces.delete(id);
    await restAfter(lane, systemClock.monotonic() - began);
    return outcome === "more";
  };
  return runWorker(deps, {
    name: "batches",
    wakeOn: onTopic(deps, "batch.requested"),
    idleMs: IDLE_MS,
    retryMs: RETRY_MS,
    onFailure: (error) => logger.warn({ err: error }, "looking for batches failed"),
    async work({ isOver }) {
      const open = await deps.db
        .selectFrom("lead_batches")
        .select("id")
        .where("status", "=", "in_progress")
        .orderBy("created_at")
        .execute();
      // Another process may have ended a batch.
      const ids = new Set(open.map(({ id }) => id));
      for (const id of paces.keys()) if (!ids.has(id)) paces.delete(id);
      let [isMore, hasFailed] = [false, false];
      for (const { id } of open) {
        if (isOver()) return null;
        try {
          isMore = (await workOn(id)) || isMore;
        } catch (error) {
          // The batch is retried from where it stopped. The others continue.
          hasFailed = true;
          logger.error({ err: error, batch: id }, "a batch failed, retrying");
        }
      }
      if (isMore) return "now";
      await tidyBatches(deps);
      return hasFailed ? deps.clock.now() + RETRY_MS : null;
    },
  });
}

/** Deletes what undo no longer needs, in small transactions, and batches older than the retention. */
export async function tidyBatches({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  const now = clock.iso();
  const { rows } = await sql<{ id: string }>`select b.id from lead_batches b
    where b.has_targets and b.finished_at is not null and (b.undo_until is null or b.undo_until <= ${now}::timestamptz)
      and not exists (select from lead_batches u where u.undo_of = b.id and u.status = 'in_progress')`.execute(db);
  for (const { id } of rows) {
    for (let gone = TARGETS_AT_ONCE; gone === TARGETS_AT_ONCE;) {
      const { numAffectedRows } =
        await sql`delete from lead_batch_targets where batch_id = ${id}::uuid and n = any(array(
        select n from lead_batch_targets where batch_id = ${id}::uuid limit ${TARGETS_AT_ONCE}))`.execute(db);
      gone = Number(numAffectedRows ?? 0);
    }
    // Another process that deletes targets may hold rows that are not found here, and may stop before the last.
    await db
      .updateTable("lead_batches as b")
      .set({ has_targets: false })
      .where("id", "=", id)
      .where(sql<boolean>`not exists (select from lead_batch_targets t where t.batch_id = b.id)`)
      .execute();
  }
  await db
    .deleteFrom("lead_batches")
    .where(sql<boolean>`not has_targets`)
    .where("finished_at", "<", new Date(clock.now() - RETENTION_MS).toISOString())
    .execute();
}
