import { sql } from "kysely";
import type { Tx } from "../db/index.ts";
import { withdrawSteps } from "../outbox/entry.ts";
import { recordLeadEvent } from "./events.ts";

/** Records that a lead opted out: stops automatic and bulk messages and withdraws planned ones, in the caller's transaction. */
export async function optOut(
  tx: Tx,
  { ownerId, leadId, at, messageId }: { ownerId: string; leadId: string; at: string; messageId: number },
): Promise<void> {
  const marked = await tx
    .updateTable("leads")
    .set({ opted_out_at: at })
    .where("id", "=", leadId)
    .where("owner_id", "=", ownerId)
    .where("opted_out_at", "is", null)
    .executeTakeFirst();
  if (marked.numUpdatedRows === 0n) return;
  await withdrawSteps(tx, { ownerId, leadId });
  const detail = { message_id: messageId };
  await recordLeadEvent(tx, { ownerId, leadId, type: "opted_out", by: "automation", byName: "Leadloom", detail, at });
}

/** Returns the messages that may create or change leads: if contacts are excluded, only those of contacts that are already leads. */
export async function withoutContacts<M extends { peer: { id: string; isContact: boolean } }>(
  tx: Tx,
  ownerId: string,
  messages: readonly M[],
): Promise<readonly M[]> {
  const contacts = [...new Set(messages.filter(({ peer }) => peer.isContact).map(({ peer }) => peer.id))];
  if (contacts.length === 0) return messages;
  const { rows } = await sql<{ telegram_user_id: string | null }>`
    select l.telegram_user_id from user_settings s
    left join leads l on l.owner_id = s.user_id and l.telegram_user_id = any(${contacts}::bigint[])
    where s.user_id = ${ownerId}::uuid and s.exclude_contacts`.execute(tx);
  if (rows.length === 0) return messages;
  const known = new Set(rows.map((row) => row.telegram_user_id));
  return messages.filter(({ peer }) => !peer.isContact || known.has(peer.id));
}
