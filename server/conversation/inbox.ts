import { sql, type RawBuilder } from "kysely";
import type { InboxCounts, InboxItem, InboxPage, InboxQuery } from "../../domain/inbox.ts";
import type { Db } from "../db/index.ts";

const EXCERPT_CHARS = 300;

type Row = {
  id: string;
  name: string | null;
  username: string | null;
  stage_id: string | null;
  waiting_since: string | null;
  unread: number;
  text: string | null;
  is_outgoing: boolean | null;
  kind: InboxItem["last"] extends infer Last ? (Last extends { kind: infer Kind } ? Kind : never) : never;
  sent_at: string | null;
};

/** Each view's condition and order are those of one index, so a page costs the same however many conversations there are. */
const VIEWS = {
  waiting: { where: sql`l.waiting_since is not null`, order: sql`l.waiting_since, l.id` },
  unread: { where: sql`l.unread > 0`, order: sql`l.last_message_at desc, l.id desc` },
  all: { where: sql`l.last_message_at is not null`, order: sql`l.last_message_at desc, l.id desc` },
} as const;

/** So many conversations are looked through first: whatever many people wrote fills a page from them, without an index of words. */
const LOOKED_THROUGH = 400;

const contains = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;

/** What stands behind the last lead of the page before, also when that one has left the view meanwhile. */
function behind(view: InboxQuery["view"], ownerId: string, before: string): RawBuilder<unknown> {
  const cursor = sql`from leads c where c.id = ${before}::uuid and c.owner_id = ${ownerId}::uuid`;
  return view === "waiting"
    ? sql`and (l.waiting_since, l.id) > (select coalesce(c.waiting_since, c.waited_since, c.last_inbound_at), c.id ${cursor})`
    : sql`and (l.last_message_at, l.id) < (select c.last_message_at, c.id ${cursor})`;
}

/** A page of the owner's conversations. One behind a lead that is not the owner's is empty. */
export async function listInbox(db: Db, ownerId: string, query: InboxQuery): Promise<InboxPage> {
  const q = query.q.trim().replace(/^@/, "");
  const view = viewOf(ownerId, query);
  const rows = q === "" ? await readRows(db, ownerId, query, view) : await search(db, ownerId, query, q);
  const page = rows.slice(0, query.limit);
  return { items: page.map(itemOf), next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null };
}

/** The leads of a view behind its cursor. */
const viewOf = (ownerId: string, { view, before }: InboxQuery): RawBuilder<unknown> =>
  sql`select * from leads l where l.owner_id = ${ownerId}::uuid and ${VIEWS[view].where}
    ${before === undefined ? sql`` : behind(view, ownerId, before)}`;

/** The first of `leads`, one more than a page, each with its last message. */
async function readRows(
  db: Db,
  ownerId: string,
  { view, limit }: InboxQuery,
  leads: RawBuilder<unknown>,
): Promise<Row[]> {
  const { order } = VIEWS[view];
  const { rows } = await sql<Row>`
    select l.id, l.name, l.username, l.stage_id, l.waiting_since, l.unread, m.text, m.is_outgoing, m.kind, m.sent_at
    from (select * from (${leads}) l order by ${order} limit ${limit + 1}) l left join lateral (
      select left(m.text, ${EXCERPT_CHARS}) as text, m.is_outgoing, m.kind, m.sent_at from messages m
      where m.owner_id = ${ownerId}::uuid and m.peer_user_id = l.telegram_user_id and m.deleted_at is null
      order by m.sent_at desc, coalesce(m.message_id, 2147483647) desc, m.id desc limit 1
    ) m on true order by ${order}`.execute(db);
  return rows;
}

/**
 * Whose name or username holds `q`, or who has a message with all its words. What is common fills the page from the view's first
 * conversations (asked one by one: an `exists` would be answered from all messages at once); only what is rarer is looked up in the
 * indexes, which then name few.
 */
async function search(db: Db, ownerId: string, query: InboxQuery, q: string): Promise<Row[]> {
  const owner = sql`${ownerId}::uuid`;
  const words = sql`(select words_query(${owner}, ${q}))`;
  const text = contains(q);
  const { order } = VIEWS[query.view];
  const first = await readRows(
    db,
    ownerId,
    query,
    sql`select * from (select * from (${viewOf(ownerId, query)}) l order by ${order} limit ${LOOKED_THROUGH}) l
      where lower(l.name) like ${text} or lower(l.username) like ${text} or (
        select true from messages m where m.owner_id = ${owner} and m.peer_user_id = l.telegram_user_id and m.words @@ ${words} limit 1)`,
  );
  if (first.length > query.limit) return first;
  return readRows(
    db,
    ownerId,
    query,
    sql`select l.* from (${viewOf(ownerId, query)}) l where l.id in (
      select n.id from leads n where n.owner_id = ${owner} and lower(n.name) like ${text}
      union select n.id from leads n where n.owner_id = ${owner} and lower(n.username) like ${text}
      union select n.id from (
        select m.owner_id, m.peer_user_id from messages m where m.words @@ ${words} offset 0
      ) m join leads n on n.owner_id = ${owner} and n.telegram_user_id = m.peer_user_id where m.owner_id = ${owner})`,
  );
}

const itemOf = (row: Row): InboxItem => ({
  lead: { id: row.id, name: row.name, username: row.username, stage_id: row.stage_id },
  last:
    row.sent_at === null
      ? null
      : { text: row.text ?? "", direction: row.is_outgoing ? "out" : "in", kind: row.kind, at: row.sent_at },
  waiting_since: row.waiting_since,
  unread: row.unread,
});

/** Counted over the two partial indexes: over those who wait or are unread, never over all. */
export async function countInbox(db: Db, ownerId: string): Promise<InboxCounts> {
  const { rows } = await sql<InboxCounts>`select
    (select count(*)::int from leads where owner_id = ${ownerId}::uuid and waiting_since is not null) as waiting,
    (select count(*)::int from leads where owner_id = ${ownerId}::uuid and unread > 0) as unread`.execute(db);
  return rows[0] ?? { waiting: 0, unread: 0 };
}
