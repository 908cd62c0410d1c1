import { sql } from "kysely";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";

/**
 * Cancels what rules that are about to be erased still had in the queue, in the caller's transaction. A message that may have been
 * delivered stays unknown. What was sent keeps its record.
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
