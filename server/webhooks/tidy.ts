import { sql } from "kysely";
import { WEBHOOK_RETENTION_DAYS } from "../../domain/webhook.ts";
import { nextTurn } from "../core/clock.ts";
import type { Deps } from "../core/deps.ts";
import type { Db, Tx } from "../db/index.ts";
import { giveUpExpired } from "./queue.ts";
import type { RawBuilder } from "kysely";

const ROWS_AT_ONCE = 1_000;

/**
 * Erases deliveries settled a month ago, and deleted webhooks with their deliveries. Drops deliveries that waited too long for access. All
 * in small transactions.
 */
export async function tidyWebhooks({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> {
  const before = new Date(clock.now() - WEBHOOK_RETENTION_DAYS * 86_400_000).toISOString();
  const now = clock.now();
  const { rows } = await sql<{ id: string }>`select id from webhooks w
    where deleted_at is null and exists (select from webhook_deliveries d where d.webhook_id = w.id and d.settled_at is null)
      and not public.has_access(owner_id, ${clock.iso()}::timestamptz)`.execute(db);
  for (const { id } of rows) while (await giveUpExpired(db, id, now)) await nextTurn();
  await forget(db, sql`settled_at < ${before}::timestamptz`);
  const deleted = await db.selectFrom("webhooks").select("id").where("deleted_at", "is not", null).execute();
  for (const { id } of deleted) {
    await forget(db, sql`webhook_id = ${id}::uuid`);
    await db.deleteFrom("webhooks").where("id", "=", id).execute();
  }
}

/** Drops deliveries that waited too long for the owner's access, in the transaction that restores it. */
export async function dropExpiredDeliveries(tx: Tx, { clock }: Pick<Deps, "clock">, ownerId: string): Promise<void> {
  const webhooks = await tx.selectFrom("webhooks").select("id").where("owner_id", "=", ownerId).execute();
  for (const { id } of webhooks) while (await giveUpExpired(tx, id, clock.now()));
}

/** @param which selects deliveries; an event is erased with the last of them */
async function forget(db: Db, which: RawBuilder<unknown>): Promise<void> {
  for (let gone = ROWS_AT_ONCE; gone === ROWS_AT_ONCE;) {
    gone = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ event_id: string }>`
        delete from webhook_deliveries where id = any(array(select id from webhook_deliveries where ${which} limit ${ROWS_AT_ONCE}))
        returning event_id`.execute(tx);
      await sql`delete from webhook_events e where e.id = any(${rows.map((row) => row.event_id)}::bigint[])
        and not exists (select from webhook_deliveries d where d.event_id = e.id)`.execute(tx);
      return rows.length;
    });
    await nextTurn();
  }
}

/** Erases the webhook events of these leads, delivered or not, in the caller's transaction. */
export async function eraseWebhookEvents(
  tx: Tx,
  { ownerId, leadIds }: { ownerId: string; leadIds: readonly string[] },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`delete from webhook_events
    where lead_id = any(${leadIds}::uuid[]) and owner_id = ${ownerId}::uuid returning id`.execute(tx);
  await sql`delete from webhook_deliveries where event_id = any(${rows.map((row) => row.id)}::bigint[])`.execute(tx);
}
