import { sql } from "kysely";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { DbOrTx } from "../db/index.ts";

/** After a longer absence of its account, a job waits for the user. */
const LONGEST_ABSENCE = sql`interval '24 hours'`;

/** Stores since when the running job's account cannot send: it was disconnected, or access ended. */
export async function recordAbsence(tx: DbOrTx, ownerId: string, since: string): Promise<void> {
  await sql`update bulk_jobs set away_since = least(away_since, ${since}::timestamptz)
    where owner_id = ${ownerId}::uuid and status = 'in_progress'`.execute(tx);
}

/** Continues the running job when its account is connected and has access. After more than 24 hours it is held for the user. */
export async function endAbsence(
  tx: DbOrTx,
  { bus, clock }: Pick<Deps, "bus" | "clock">,
  ownerId: string,
): Promise<void> {
  const at = sql`${clock.iso()}::timestamptz`;
  const { rows } = await sql<{ id: string }>`
    update bulk_jobs set away_since = null,
      held_at = coalesce(held_at, case when away_since < ${at} - ${LONGEST_ABSENCE} then ${at} end)
    where owner_id = ${ownerId}::uuid and status = 'in_progress' and away_since is not null
      and public.has_access(owner_id, ${at})
      and exists (select from telegram_sessions s where s.user_id = owner_id and s.state = 'connected')
    returning id`.execute(tx);
  for (const { id } of rows) await publishEvent(bus, ownerId, "bulk.changed", { job_id: id }, tx);
}
