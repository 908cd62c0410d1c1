import { sql } from "kysely";
import type { Db, Tx } from "./handles.ts";

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
