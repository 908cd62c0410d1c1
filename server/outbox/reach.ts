import { sql } from "kysely";
import { isGone } from "../../domain/send-outcome.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";

/**
 * Forgets what another Telegram account could not reach, in the transaction that connects this one: flagged people may be written to
 * again, and follow-ups that were passed over in the lead's present stage become due again. Who has deleted the account stays flagged.
 * @returns whether anyone can be written to again
 */
export async function healReach(
  tx: Tx,
  { bus }: Pick<Deps, "bus">,
  account: { ownerId: string; telegramUserId: string },
): Promise<boolean> {
  const { ownerId, telegramUserId } = account;
  const { rows } = await sql<{ id: string; reason: string }>`
    select id, unreachable_reason as reason from leads where owner_id = ${ownerId}::uuid and unreachable_reason is not null
      and unreachable_account is distinct from ${telegramUserId}::bigint order by id for no key update`.execute(tx);
  const healed = rows.filter(({ reason }) => !isGone(reason)).map(({ id }) => id);
  if (healed.length > 0) {
    await sql`update leads set unreachable_reason = null, unreachable_account = null where id = any(${healed}::uuid[])`.execute(
      tx,
    );
    await publishEvent(bus, ownerId, "lead.changed", {}, tx);
  }
  let freed = 0n;
  for (const table of ["outbox", "ledger"] as const) {
    const { numAffectedRows = 0n } = await sql`update ${sql.table(table)} o set state = 'cancelled' from leads l
      where o.owner_id = ${ownerId}::uuid and o.kind = 'followup' and o.state = 'skipped' and l.id = o.lead_id and l.stage_entry_epoch = o.epoch
        and o.account_user_id is distinct from ${telegramUserId}::bigint`.execute(tx);
    freed += numAffectedRows;
  }
  return healed.length > 0 || freed > 0n;
}
