import { sql } from "kysely";
import { isGone } from "../../domain/send-outcome.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { Tx } from "../db/index.ts";

/**
 * Forgets what another Telegram account could not reach, in the transaction that connects this one: flagged people may be written to
 * again, and follow-ups that were passed over meanwhile become due again. Who has deleted the account stays flagged.
 */
export async function healReach(
  tx: Tx,
  { bus }: Pick<Deps, "bus">,
  account: { ownerId: string; telegramUserId: string },
): Promise<void> {
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
  await sql`update outbox set state = 'cancelled' where owner_id = ${ownerId}::uuid and kind = 'followup' and state = 'skipped'
    and account_user_id is distinct from ${telegramUserId}::bigint`.execute(tx);
}
