import { sql } from "kysely";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";
import { countTarget } from "./job-counts.ts";

/** Erases every send to these leads, in the caller's transaction. Unsent ones are cancelled and count in their bulk job as not sent. */
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

/**
 * Cancels queued messages of rules that are about to be erased, in the caller's transaction. A message that may have been delivered stays
 * unknown. Sent ones keep their record.
 */
export async function withdrawReminders(
  tx: Tx,
  { bus, clock }: Pick<Deps, "bus" | "clock">,
  ruleIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ owner_id: string }>`
    update outbox set state = case when is_uncertain then 'unknown' else 'cancelled' end, reason = 'RULE_DELETED',
      settled_at = ${clock.iso()}::timestamptz
    where reminder_id = any(${ruleIds}::uuid[]) and state = 'pending' returning owner_id`.execute(tx);
  for (const ownerId of new Set(rows.map((row) => row.owner_id)))
    await bus.publish("ledger.changed", { owner_id: ownerId }, tx);
}
