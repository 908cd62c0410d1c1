import { sql } from "kysely";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";
import { countTarget } from "./job-counts.ts";

/**
 * Erases every send to these leads, in the caller's transaction. What had not gone out never does, and counts in its bulk job as not sent.
 */
export async function eraseSends(
  tx: Tx,
  deps: Pick<Deps, "bus" | "clock">,
  { ownerId, leadIds }: { ownerId: string; leadIds: readonly string[] },
): Promise<void> {
  const { rows } = await sql<{ job_id: string | null; is_open: boolean }>`
    delete from outbox where lead_id = any(${leadIds}::uuid[]) and owner_id = ${ownerId}::uuid
    returning job_id, state in ('pending', 'sending') as is_open`.execute(tx);
  const open = rows.flatMap(({ job_id: jobId, is_open: isOpen }) => (isOpen && jobId !== null ? [jobId] : []));
  for (const jobId of open)
    if (await countTarget(tx, deps, jobId, false))
      await publishEvent(deps.bus, ownerId, "bulk.changed", { job_id: jobId }, tx);
  await sql`delete from ledger where lead_id = any(${leadIds}::uuid[]) and owner_id = ${ownerId}::uuid`.execute(tx);
  await deps.bus.publish("ledger.changed", { owner_id: ownerId }, tx);
}
