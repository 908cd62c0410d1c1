import { sql, type RawBuilder } from "kysely";
import type { DbOrTx, Tx } from "../db/index.ts";
import { nextIsBefore } from "../lead-rows/step-places.ts";

/**
 * Locks unsettled rows of the outbox until the transaction ends. The order prevents deadlocks: first those being sent, because settling one
 * may lock others, then by id.
 * @param which a condition over `outbox`
 */
export const lockSends = (tx: Tx, which: RawBuilder<unknown>) =>
  sql`select count(*) from (
    select from outbox where ${which} and state in ('pending', 'sending') order by state desc, id for update) locked`.execute(
    tx,
  );

/** Waits until a lead's current sends are settled. Call it before locking the lead: settling locks the outbox row first, then the lead. */
export const holdSends = (tx: Tx, { ownerId, leadId }: { ownerId: string; leadId: string }) =>
  holdSendsOfAll(tx, { ownerId, leadIds: [leadId] });

/** The same for many leads. */
export const holdSendsOfAll = (tx: Tx, { ownerId, leadIds }: { ownerId: string; leadIds: readonly string[] }) =>
  lockSends(tx, sql`lead_id = any(${leadIds}::uuid[]) and owner_id = ${ownerId}::uuid`);

/**
 * Withdraws a lead's planned automatic sends that are not being sent. A row that a sender has locked is skipped; the sender checks its
 * conditions again.
 */
export const withdrawSteps = (tx: Tx, { ownerId, leadId }: { ownerId: string; leadId: string }) =>
  withdrawStepsOfAll(tx, { ownerId, leadIds: [leadId] });

/** The same for many leads. */
export const withdrawStepsOfAll = (tx: Tx, { ownerId, leadIds }: { ownerId: string; leadIds: readonly string[] }) =>
  sql`delete from outbox where id in (
    select id from outbox where lead_id = any(${leadIds}::uuid[]) and owner_id = ${ownerId}::uuid and kind = 'followup' and state = 'pending'
      and not is_uncertain order by id for update skip locked)`.execute(tx);

/** A send settled within this time before a move may have read the lead as it was after the move. */
const MARGIN_SECONDS = 60;

/** A move and its undo each increment the epoch, so the restored stage entry had this one. */
const entryBefore = sql`l.stage_entry_epoch - 2`;

/**
 * Carries sends over to the new epoch after an undone move, in the undo's transaction: used steps stay used, messages being sent count
 * there, and the cursor moves past what was sent in the meantime, but past no step that the lead has yet to get.
 * @param entry.since when the first lead moved
 */
export async function carrySendsOver(
  tx: DbOrTx,
  { ownerId, leadIds, since }: { ownerId: string; leadIds: readonly string[]; since: string },
): Promise<void> {
  const theirs = sql`l.id = any(${leadIds}::uuid[]) and l.owner_id = ${ownerId}::uuid`;
  const sendsIn = (table: "outbox" | "ledger") =>
    sql`select from ${sql.table(table)} where lead_id = any(${leadIds}::uuid[])`;
  const { rows } = await sql<{ outbox: boolean; ledger: boolean }>`
    select exists (${sendsIn("outbox")}) as outbox, exists (${sendsIn("ledger")}) as ledger`.execute(tx);
  const { outbox: inQueue = false, ledger: inLedger = false } = rows[0] ?? {};
  for (const [table, hasSends] of [
    ["outbox", inQueue],
    ["ledger", inLedger],
  ] as const)
    if (hasSends)
      await sql`update ${sql.table(table)} o set epoch = l.stage_entry_epoch from leads l where o.lead_id = l.id and ${theirs}
        and o.owner_id = l.owner_id and o.epoch = ${entryBefore} and o.kind in ('manual', 'followup')`.execute(tx);
  if (!inQueue && !inLedger) return;
  await sql`
    update leads l set followup_order_sent = greatest(l.followup_order_sent, u.place), last_followup_sent_at = greatest(l.last_followup_sent_at, u.at)
    from (
      select l.id, max(f.followup_order) + 1 as place, max(o.settled_at) as at
      from leads l join step_uses o on o.lead_id = l.id and o.epoch = l.stage_entry_epoch join followups f on f.id = o.followup_id and f.stage_id = l.stage_id
      where ${theirs} and o.state in ('sent', 'unknown')
        and o.settled_at >= ${since}::timestamptz - make_interval(secs => ${MARGIN_SECONDS})
        and (f.created_at < l.stage_entered_at or not ${nextIsBefore})
      group by l.id
    ) u where l.id = u.id and l.followup_order_sent < u.place`.execute(tx);
}
