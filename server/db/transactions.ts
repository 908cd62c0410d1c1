import { sql } from "kysely";
import type { Tx, Db } from "./schema.ts";

const UNIQUE_VIOLATION = "23505";
const LOST_RACES: ReadonlySet<unknown> = new Set([UNIQUE_VIOLATION, "40001", "40P01", "55P03"]);

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** Whether Postgres refused a row because another one holds its place already (unique_violation). */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === UNIQUE_VIOLATION;

/** Whether a transaction lost against another one (also serialization_failure, deadlock_detected, lock_not_available): tried again it may pass. */
export const isLostRace = (error: unknown): boolean => LOST_RACES.has(codeOf(error));

const TRIES = 4;

/** Does what is one transaction, and again where it lost against another one. @throws what the last try did */
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
 * The transaction's end is not waited for until it is on the disk. Only for a slice of a longer work that writes how far it has come with
 * what it did: a crash of the database may lose both together, then the work goes on from there. Whoever commits after it and waits, as
 * every send and the work's last slice do, has it on the disk as well.
 */
export const commitLater = (tx: Tx) => sql`select set_config('synchronous_commit', 'off', true)`.execute(tx);

/** The transaction's end is waited for after all. */
export const commitNow = (tx: Tx) => sql`select set_config('synchronous_commit', null, true)`.execute(tx);

/**
 * Makes the plans of the rest of a transaction use the indexes. Left alone, the planner reads whole tables for what it holds to be common
 * and for thousands of keys, everybody else's rows and the words of every conversation among them, and compiles what takes milliseconds.
 */
export async function planByIndexes(tx: Tx): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true), set_config('work_mem', '32MB', true),
      set_config('random_page_cost', '1.1', true), set_config('max_parallel_workers_per_gather', '0', true)`.execute(
    tx,
  );
}

/** Runs reads of one owner's leads in a transaction whose plans use the indexes. */
export function byIndexes<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await planByIndexes(tx);
    return read(tx);
  });
}
