import { sql } from "kysely";
import type { MessagesPage, MessagesQuery } from "../../domain/message.ts";
import { publishEvents } from "../core/bus.ts";
import { readUpTo } from "../lead-rows/conversation-state.ts";
import type { Deps } from "../core/deps.ts";
import { notFound, refuseInput } from "../core/problem.ts";
import type { Db, DbOrTx } from "../db/index.ts";
import type { MediaLinks } from "../media/signed-url.ts";
import { answerOf, MESSAGE_COLUMNS, type MessageRow } from "./answer.ts";
import { orderReceipt } from "./receipts.ts";

/** Sorts by Telegram's second and number; messages without a number come last. */
const place = (alias: string) => sql.raw(`${alias}.sent_at, coalesce(${alias}.message_id, 2147483647), ${alias}.id`);
const ORDER = sql.raw("m.sent_at desc, coalesce(m.message_id, 2147483647) desc, m.id desc");

/** Returns the Telegram id of the owner's lead. @throws ProblemError 404 */
export async function requirePeer(db: DbOrTx, ownerId: string, leadId: string): Promise<string> {
  const lead = await db
    .selectFrom("leads")
    .select("telegram_user_id")
    .where("id", "=", leadId)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  if (lead === undefined) throw notFound();
  return lead.telegram_user_id;
}

/** Returns a page of a lead's conversation, newest first. @throws ProblemError 404 */
export async function listMessages(
  db: Db,
  links: MediaLinks,
  of: { ownerId: string; leadId: string },
  query: MessagesQuery,
): Promise<MessagesPage> {
  const peer = await requirePeer(db, of.ownerId, of.leadId);
  const mine = sql`m.owner_id = ${of.ownerId}::uuid and m.peer_user_id = ${peer}::bigint`;
  const older =
    query.before === undefined
      ? sql``
      : sql`and (${place("m")}) < (select ${place("c")} from messages c
          where c.id = ${query.before}::bigint and c.owner_id = ${of.ownerId}::uuid and c.peer_user_id = ${peer}::bigint)`;
  const { rows } = await sql<MessageRow>`
    select ${sql.raw(MESSAGE_COLUMNS)} from messages m where ${mine} ${older}
    order by ${ORDER} limit ${query.limit + 1}`.execute(db);
  const page = rows.slice(0, query.limit);
  return {
    messages: page.map((row) => answerOf(row, links)),
    next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null,
  };
}

/** Returns the position of a message in a lead's conversation. @throws ProblemError 404 for the lead, 422 for a message of another one */
export async function placeOf(
  tx: DbOrTx,
  { ownerId, leadId }: { ownerId: string; leadId: string },
  id: string,
): Promise<{ at: string; messageId: number }> {
  const peer = await requirePeer(tx, ownerId, leadId);
  const message = await tx
    .selectFrom("messages")
    .select(["sent_at", "message_id"])
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("peer_user_id", "=", peer)
    .executeTakeFirst();
  if (message === undefined) {
    throw refuseInput("up_to", "message_of_other_conversation", null, "Unknown message.");
  }
  return { at: message.sent_at, messageId: message.message_id ?? 2_147_483_647 };
}

/**
 * Marks everything up to a message as read. The mark never moves back.
 * @returns how many messages are still unread
 * @throws ProblemError 404 for the lead, 422 for a message of another conversation
 */
export function markRead(deps: Deps, ownerId: string, leadId: string, upTo: string): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const to = await placeOf(tx, { ownerId, leadId }, upTo);
    const read = await readUpTo(tx, ownerId, sql<boolean>`l.id = ${leadId}::uuid`, to);
    if (read?.hasChanged) {
      await orderReceipt(tx, deps, { ownerId, leadId, upTo });
      await publishEvents(deps.bus, ownerId, [{ type: "inbox.changed" }], tx);
    }
    return read?.unread ?? 0;
  });
}
