import { sql, type RawBuilder } from "kysely";
import type { DbOrTx } from "../db/index.ts";

/** A position in a conversation: Telegram's second and the message number within the account. */
export type Place = { at: RawBuilder<string>; messageId: RawBuilder<number> };

/** The incoming messages of lead `l` after a position. */
const messagesAfter = (what: RawBuilder<unknown>, { at, messageId }: Place) => sql`
  (select ${what} from messages w where w.owner_id = l.owner_id and w.peer_user_id = l.telegram_user_id and not w.is_outgoing
    and w.sent_at >= ${at} and (w.sent_at > ${at} or w.message_id > ${messageId}))`;

/**
 * Assignments for lead `l` (whose `last_outbound_at` is still the old one) after the account sent a message at that position: a lead that
 * wrote nothing after it no longer waits for a reply. A message older than the last sent one changes nothing. A manual message marks
 * everything before it as read.
 */
export function answeredAt(place: Place, isUserInitiated: boolean): RawBuilder<unknown> {
  const isNewest = sql`(l.last_outbound_at is null or ${place.at} >= l.last_outbound_at)`;
  const since = messagesAfter(sql`min(w.sent_at) filter (where l.done_at is null or w.sent_at > l.done_at)`, place);
  const read = sql`, unread = case when ${isNewest} and (l.read_at is null or l.read_at <= ${place.at}) then ${messagesAfter(sql`count(*)::int`, place)} else l.unread end,
    read_at = case when ${isNewest} then greatest(l.read_at, ${place.at}) else l.read_at end,
    read_message_id = case when ${isNewest} and (l.read_at is null or l.read_at <= ${place.at}) then ${place.messageId} else l.read_message_id end`;
  return sql`waiting_since = case when ${isNewest} then ${since} else l.waiting_since end,
    waited_since = case when ${isNewest} then coalesce(l.waiting_since, l.waited_since) else l.waited_since end,
    done_at = case when ${isNewest} and ${place.at} >= l.done_at then null else l.done_at end
    ${isUserInitiated ? read : sql``}`;
}

/** The same as `DONE` up to a position: a lead that wrote after it still waits for a reply. */
export function doneUpTo(upTo: { at: string; messageId: number }): RawBuilder<unknown> {
  const place = { at: sql<string>`${upTo.at}::timestamptz`, messageId: sql<number>`${upTo.messageId}::int` };
  return sql`waited_since = coalesce(l.waiting_since, l.waited_since),
    done_at = case when l.waiting_since is not null then ${place.at} else l.done_at end,
    waiting_since = case when l.waiting_since is not null then ${messagesAfter(sql`min(greatest(w.sent_at, l.waiting_since))`, place)} end`;
}

/** Assignments after which lead `l` no longer waits for a reply, until it writes again. */
export const DONE = sql`waited_since = coalesce(l.waiting_since, l.waited_since),
    done_at = case when l.waiting_since is not null then l.last_inbound_at else l.done_at end, waiting_since = null`;

/**
 * Marks a conversation as read up to a position, never back.
 * @returns how many messages after it are unread, or null when the lead is not the owner's
 */
export async function readUpTo(
  tx: DbOrTx,
  ownerId: string,
  lead: RawBuilder<boolean>,
  place: { at: string; messageId: number },
): Promise<{ leadId: string; unread: number; hasChanged: boolean } | null> {
  const at = sql<string>`${place.at}::timestamptz`;
  const messageId = sql<number>`${place.messageId}::int`;
  const isBehind = sql`(l.read_at is null or l.read_at < ${at} or (l.read_at = ${at} and coalesce(l.read_message_id, 0) < ${messageId}))`;
  const { rows } = await sql<{ id: string; unread: number; was: number }>`
    with before as (select id, unread from leads l where l.owner_id = ${ownerId}::uuid and ${lead} for no key update)
    update leads l set unread = case when ${isBehind} then ${messagesAfter(sql`count(*)::int`, { at, messageId })} else l.unread end,
      read_at = case when ${isBehind} then ${at} else l.read_at end,
      read_message_id = case when ${isBehind} then ${messageId} else l.read_message_id end
    from before where l.id = before.id
    returning l.id, l.unread, before.unread as was`.execute(tx);
  const row = rows[0];
  return row === undefined ? null : { leadId: row.id, unread: row.unread, hasChanged: row.unread !== row.was };
}
