import { sql } from "kysely";
import type { Db } from "../db/index.ts";

/** How many cold messages went out today (UTC): what counts toward the account's daily limit. */
export async function coldSentToday(db: Db, ownerId: string, at: string): Promise<number> {
  const { rows } = await sql<{ cold_count: number }>`
    select cold_count from send_pace where owner_id = ${ownerId}::uuid and cold_day = (${at}::timestamptz at time zone 'UTC')::date`.execute(
    db,
  );
  return rows[0]?.cold_count ?? 0;
}
