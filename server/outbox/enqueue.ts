import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";

/** Wakes the sender that holds the owner's account; heard when the transaction commits. */
export const wakeSender = (bus: Deps["bus"], ownerId: string, tx?: Tx): Promise<void> =>
  bus.publish("outbox.ready", { owner_id: ownerId }, tx);

/** How many cold messages went out today (UTC): what counts toward the account's daily limit. */
export async function coldSentToday(db: Deps["db"], ownerId: string, at: string): Promise<number> {
  const { rows } = await sql<{ cold_count: number }>`
    select cold_count from send_pace where owner_id = ${ownerId}::uuid and cold_day = (${at}::timestamptz at time zone 'UTC')::date`.execute(
    db,
  );
  return rows[0]?.cold_count ?? 0;
}
