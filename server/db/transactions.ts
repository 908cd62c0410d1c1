import { sql } from "kysely";
import type { Tx, Db } from "./schema.ts";

const UNIQUE_VIOLATION = "23505";
const SERIALIZATION_FAILURE = "40001";
const LOST_RACES: ReadonlySet<unknown> = new Set([UNIQUE_VIOLATION, SERIALIZATION_FAILURE, "40P01", "55P03"]);

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Whether Postgres refused a duplicate (unique_violation). */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === UNIQUE_VIOLATION;

/**
 * Whether a transaction failed because of another one, so that a retry may succeed (includes serialization_failure, deadlock_detected and
 * lock_not_available).
 */
export const isLostRace = (error: unknown): boolean => LOST_RACES.has(codeOf(error));

/** Returns an error for a conflict that Postgres itself does not report. */
export const lostRace = (message: string): Error => Object.assign(new Error(message), { code: SERIALIZATION_FAILURE });

const TRIES = 4;

/** Runs a transaction and retries it after a conflict with another one. @throws the error of the last try */
export async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES || !isLostRace(error)) throw error;
    }
  }
}

/**
 * Commits this transaction without waiting for the disk. Only for a slice of a longer job that stores its progress in the same
 * transaction: a crash of the database may lose both, and the job continues from the progress before. A later commit that waits, such as
 * a send or the job's last slice, writes this one to the disk as well.
 */
export const commitLater = (tx: Tx) => sql`select set_config('synchronous_commit', 'off', true)`.execute(tx);

/** Makes the commit of this transaction wait for the disk again. */
export const commitNow = (tx: Tx) => sql`select set_config('synchronous_commit', null, true)`.execute(tx);

/**
 * Makes the rest of a transaction use indexes. By default, the planner scans whole tables, including other users' rows, for values that it
 * considers common and for thousands of keys. It also compiles queries that take milliseconds.
 */
export async function planByIndexes(tx: Tx): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '32MB', true),
      set_config('random_page_cost', '1.1', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(
    tx,
  );
}

/**
 * Runs reads of one owner's leads in a transaction whose plans use the indexes. All reads see the same snapshot, so a page and its total
 * agree.
 */
export function byIndexes<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      await planByIndexes(tx);
      return read(tx);
    });
}
