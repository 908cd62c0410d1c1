import { sql } from "kysely";
import type { Tx } from "../db/index.ts";

/** A part of a batch's leads, by where they stand in it: worked off in order, a slice at a time, while another lane is. */
export type Lane = {
  index: number;
  /** the last lead that was worked on */
  place: number;
  /** the last lead */
  end: number;
};

const startOf = (lane: number, { targets, lanes }: { targets: number; lanes: number }) =>
  Math.floor((targets * lane) / lanes);

/** Where so many lanes begin that share a batch's leads alike. */
export const placesOf = (targets: number, lanes: number): number[] =>
  Array.from({ length: lanes }, (_, lane) => startOf(lane, { targets, lanes }));

/** A batch's lanes of which leads are left. */
export const openLanes = (places: readonly number[], targets: number): Lane[] =>
  places
    .map((place, index) => ({ index, place, end: startOf(index + 1, { targets, lanes: places.length }) }))
    .filter(({ place, end }) => place < end);

/** Keeps a lane of a batch to the caller's transaction. @returns false while it is another's */
export async function holdLane(tx: Tx, batchId: string, lane: number): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${batchId}, ${lane})) as is_held`.execute(tx);
  return rows[0]?.is_held === true;
}

/** Waits for the slices of a batch that are under way. Nobody begins another before the end of the caller's transaction. */
export const holdLanes = (tx: Tx, batchId: string, lanes: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${batchId}, lane)) from generate_series(0, ${lanes - 1}::int) lane`.execute(
    tx,
  );
