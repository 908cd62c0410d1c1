import { sql } from "kysely";
import { isGone, PEER_NOT_KNOWN } from "../../domain/send-outcome.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps } from "../core/deps.ts";
import type { DbOrTx, Tx } from "../db/index.ts";

/**
 * Clears what another Telegram account could not reach, in the transaction that connects this account: flagged leads can be messaged again,
 * and follow-ups skipped in the lead's current stage become due again. Deleted Telegram accounts stay flagged.
 * @returns whether any lead became reachable
 */
export async function resetReachability(
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

type Account = { accountId: string; userId: string; telegramUserId: string };
const MISJUDGED_MOST = 5_000;

/**
 * Finds leads flagged as unknown to the account although it has their access hash or has exchanged messages with them; a peer cache can
 * lose entries.
 * @returns their Telegram user ids, and whether the account has their access hash now
 */
export async function findWronglyUnreachable(
  db: DbOrTx,
  account: Account,
): Promise<{ id: string; isKnown: boolean }[]> {
  const { accountId, userId, telegramUserId } = account;
  const skipped = (table: "outbox" | "ledger") => sql`
    select l.telegram_user_id from ${sql.table(table)} o join leads l on l.id = o.lead_id and l.stage_entry_epoch = o.epoch
    where ${isMisjudged(account)} and l.owner_id = o.owner_id`;
  const { rows } = await sql<{ id: string; isKnown: boolean }>`
    select x.telegram_user_id::text as id, x.is_known as "isKnown" from (
      select m.telegram_user_id, exists (select from telegram_peers p where p.account_id = ${accountId}::uuid
        and p.peer_id = m.telegram_user_id and not p.is_min) as is_known
      from (
        ${skipped("outbox")} union ${skipped("ledger")}
        union select l.telegram_user_id from leads l where l.owner_id = ${userId}::uuid and l.unreachable_reason = ${PEER_NOT_KNOWN}
      ) m
    ) x where x.is_known or exists (select from messages m where m.owner_id = ${userId}::uuid and m.peer_user_id = x.telegram_user_id
      and m.account_user_id = ${telegramUserId}::bigint)
    limit ${MISJUDGED_MOST}`.execute(db);
  return rows;
}

/** Follow-ups `o` that were skipped because the lead was considered unknown to this account. */
const isMisjudged = ({ userId, telegramUserId }: Account) => sql`o.owner_id = ${userId}::uuid and o.kind = 'followup'
  and o.state = 'skipped' and o.reason = ${PEER_NOT_KNOWN} and (o.account_user_id is null or o.account_user_id = ${telegramUserId}::bigint)`;

/** Clears the unknown flag of these leads, in the caller's transaction; skipped follow-ups become due again. */
export async function clearWronglyUnreachable(
  tx: Tx,
  { bus }: Pick<Deps, "bus">,
  account: Account,
  telegramUserIds: readonly string[],
): Promise<void> {
  const { accountId, userId } = account;
  const theirs = sql`l.owner_id = ${userId}::uuid and l.telegram_user_id = any(${telegramUserIds}::bigint[])`;
  for (const table of ["outbox", "ledger"] as const)
    await sql`update ${sql.table(table)} o set state = 'cancelled' from leads l
      where ${isMisjudged(account)} and l.id = o.lead_id and l.stage_entry_epoch = o.epoch and ${theirs}`.execute(tx);
  await sql`update leads l set unreachable_reason = null, unreachable_account = null
    where ${theirs} and l.unreachable_reason = ${PEER_NOT_KNOWN}`.execute(tx);
  await sql`delete from contact_checks where account_id = ${accountId}::uuid and peer_id = any(${telegramUserIds}::bigint[])
    and requirement = ${PEER_NOT_KNOWN}`.execute(tx);
  await publishEvent(bus, userId, "lead.changed", {}, tx);
}
