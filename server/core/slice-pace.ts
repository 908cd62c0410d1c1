import { sql } from "kysely";
import type { Deps } from "./deps.ts";
import type { Engine } from "../db/index.ts";

/** How many leads the next transaction of a long work takes. */
export type Pace = { size: number };

/**
 * A slice is as large as takes so long, within bounds. On the embedded store everybody waits for it; on Postgres whoever changes the same
 * leads, and who needs the processor.
 */
const SLICES = {
  pglite: { ms: 100, first: 250, least: 200, most: 1_000 },
  postgres: { ms: 120, first: 500, least: 250, most: 2_000 },
} as const;

/** How many slices of a long work go side by side; the embedded store does one thing at a time. */
export const LANES = { pglite: 1, postgres: 2 } as const;

/**
 * Whether anybody waits for a session, or for what somebody else holds. A work's other lanes than the first begin no slice then: two that
 * overlap would leave no moment in which nobody holds the stage that their leads go to.
 */
export async function othersWait({ db, engine }: Pick<Deps, "db" | "engine">): Promise<boolean> {
  if (engine.sessions().waiting > 0) return true;
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' limit 1`.execute(db);
  return rows.length > 0;
}

export const newPace = ({ kind }: Pick<Engine, "kind">): Pace => ({ size: SLICES[kind].first });

/** The next slice's size, by how long the last one of the pace's size took; ms. */
export function keepPace(pace: Pace, { kind }: Pick<Engine, "kind">, tookMs: number): void {
  const { ms, least, most } = SLICES[kind];
  pace.size = Math.round(Math.min(most, Math.max(least, (pace.size * ms) / Math.max(1, tookMs))));
}
