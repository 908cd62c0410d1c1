import { sql } from "kysely";
import type { Tx } from "../db/index.ts";

/** A range of a batch's leads. Lanes run in parallel; within a lane, slices run in order. */
export type Lane = {
  index: number;
  /** position of the last processed lead */
  place: number;
  end: number;
};

const startOf = (lane: number, { targets, lanes }: { targets: number; lanes: number }) =>
  Math.floor((targets * lane) / lanes);

/** Returns the start positions of lanes that share a batch's leads equally. */
export const placesOf = (targets: number, lanes: number): number[] =>
  Array.from({ length: lanes }, (_, lane) => startOf(lane, { targets, lanes }));

/** Returns a batch's lanes that have leads left. */
export const openLanes = (places: readonly number[], targets: number): Lane[] =>
  places
    .map((place, index) => ({ index, place, end: startOf(index + 1, { targets, lanes: places.length }) }))
    .filter(({ place, end }) => place < end);

/** Locks a lane of a batch for the caller's transaction. @returns false while another transaction holds it */
export async function holdLane(tx: Tx, batchId: string, lane: number): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${batchId}, ${lane})) as is_held`.execute(tx);
  return rows[0]?.is_held === true;
}

/** Waits for the running slices of a batch. No other slice begins before the end of the caller's transaction. */
export const holdLanes = (tx: Tx, batchId: string, lanes: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${batchId}, lane)) from generate_series(0, ${lanes - 1}::int) lane`.execute(
    tx,
  );
