import { sql } from "kysely";
import type { DbOrTx, Tx } from "../db/index.ts";

/** Waits for a lead's sends that are being settled in this moment. Whoever settles holds its row before the lead: call it before the lead is locked. */
export const holdSends = (tx: Tx, { ownerId, leadId }: { ownerId: string; leadId: string }) =>
  sql`select from outbox where lead_id = ${leadId}::uuid and owner_id = ${ownerId}::uuid and state in ('pending', 'sending')
    order by id for update`.execute(tx);

/** The same for many leads. */
export const holdSendsOfAll = (tx: Tx, { ownerId, leadIds }: { ownerId: string; leadIds: readonly string[] }) =>
  sql`select from outbox where lead_id = any(${leadIds}::uuid[]) and owner_id = ${ownerId}::uuid and state in ('pending', 'sending')
    order by id for update`.execute(tx);

/** Withdraws what is planned for a lead by itself and not under way; a row that is being looked at in this moment is judged once more by whoever sends. */
export const withdrawSteps = (tx: Tx, { ownerId, leadId }: { ownerId: string; leadId: string }) =>
  sql`delete from outbox where id in (
    select id from outbox where lead_id = ${leadId}::uuid and owner_id = ${ownerId}::uuid and kind = 'followup' and state = 'pending'
      and not is_uncertain order by id for update skip locked)`.execute(tx);

/** What is settled within this time before a move may have met the lead as it was after it. */
const MARGIN_SECONDS = 60;

/**
 * A lead is back in a stage entry that goes on under another number, in the caller's transaction: the steps that were used there stay used,
 * what is under way is counted there, and the cursor stands behind what went out while the lead was away.
 * @param entry.since when the lead left
 */
export async function keepSends(
  tx: DbOrTx,
  { ownerId, leadId, from, to, since }: { ownerId: string; leadId: string; from: number; to: number; since: string },
): Promise<void> {
  for (const table of ["outbox", "ledger"] as const)
    await sql`update ${sql.table(table)} set epoch = ${to}::int where lead_id = ${leadId}::uuid and owner_id = ${ownerId}::uuid
      and epoch = ${from}::int and kind in ('manual', 'followup')`.execute(tx);
  await sql`update leads set skipped_epoch = ${to}::int where id = ${leadId}::uuid and owner_id = ${ownerId}::uuid and skipped_epoch = ${from}::int`.execute(
    tx,
  );
  await sql`
    update leads l set followup_order_sent = greatest(l.followup_order_sent, u.place), last_followup_sent_at = greatest(l.last_followup_sent_at, u.at)
    from (
      select f.stage_id, max(f.followup_order) + 1 as place, max(o.settled_at) as at from step_uses o join followups f on f.id = o.followup_id
      where o.lead_id = ${leadId}::uuid and o.epoch = ${to}::int and o.state in ('sent', 'unknown')
        and o.settled_at >= ${since}::timestamptz - make_interval(secs => ${MARGIN_SECONDS}) group by f.stage_id
    ) u where l.id = ${leadId}::uuid and l.owner_id = ${ownerId}::uuid and l.stage_id = u.stage_id
      and l.followup_order_sent < u.place`.execute(tx);
}
