import { sql, type RawBuilder } from "kysely";
import type { InboxCounts, InboxItem, InboxPage, InboxQuery } from "../../domain/inbox.ts";
import { byIndexes, type Db, type DbOrTx, type Tx } from "../db/index.ts";
import { type Finding, foundBy, searchText } from "../leads/search.ts";

const EXCERPT_CHARS = 300;

type Row = {
  id: string;
  name: string | null;
  username: string | null;
  stage_id: string | null;
  waiting_since: string | null;
  unread: number;
  message: string | null;
  text: string | null;
  is_outgoing: boolean | null;
  kind: InboxItem["last"] extends infer Last ? (Last extends { kind: infer Kind } ? Kind : never) : never;
  sent_at: string | null;
};

/** Each view's condition and order match an index, so a page costs the same with any number of conversations. */
const VIEWS = {
  longest: { where: sql`l.waiting_since is not null`, order: sql`l.waiting_since, l.id` },
  newest: { where: sql`l.waiting_since is not null`, order: sql`l.last_message_at desc, l.id desc` },
  unread: { where: sql`l.unread > 0`, order: sql`l.last_message_at desc, l.id desc` },
  all: { where: sql`l.last_message_at is not null`, order: sql`l.last_message_at desc, l.id desc` },
} as const;

const clausesOf = ({ view, order }: InboxQuery) => VIEWS[view === "waiting" ? order : view];

/** Selects what follows the cursor, the last lead of the previous page, even if that lead has left the view. */
function behind(query: InboxQuery, ownerId: string, before: string): RawBuilder<unknown> {
  const cursor = sql`from leads c where c.id = ${before}::uuid and c.owner_id = ${ownerId}::uuid`;
  return clausesOf(query) === VIEWS.longest
    ? sql`and (l.waiting_since, l.id) > (select coalesce(c.waiting_since, c.waited_since, c.last_inbound_at), c.id ${cursor})`
    : sql`and (l.last_message_at, l.id) < (select c.last_message_at, c.id ${cursor})`;
}

/** Returns a page of the owner's conversations; an empty one if the cursor is not the owner's lead. */
export async function listInbox(db: Db, ownerId: string, query: InboxQuery): Promise<InboxPage> {
  const q = searchText(query.q);
  const view = viewOf(ownerId, query);
  const rows = q === "" ? await readRows(db, ownerId, query, view) : await search(db, ownerId, query, q);
  const page = rows.slice(0, query.limit);
  return { items: page.map(itemOf), next: rows.length > page.length ? (page.at(-1)?.id ?? null) : null };
}

/** Selects the leads of a view after its cursor. */
const viewOf = (ownerId: string, query: InboxQuery): RawBuilder<unknown> =>
  sql`select * from leads l where l.owner_id = ${ownerId}::uuid and ${clausesOf(query).where}
    ${query.before === undefined ? sql`` : behind(query, ownerId, query.before)}`;

/** Returns the first of `leads` with their last messages, one more than a page. */
async function readRows(db: DbOrTx, ownerId: string, query: InboxQuery, leads: RawBuilder<unknown>): Promise<Row[]> {
  const { order } = clausesOf(query);
  const { rows } = await sql<Row>`
    select l.id, l.name, l.username, l.stage_id, l.waiting_since, l.unread, m.id::text as message, m.text, m.is_outgoing, m.kind, m.sent_at
    from (select * from (${leads}) l order by ${order} limit ${query.limit + 1}) l left join lateral (
      select m.id, left(m.text, ${EXCERPT_CHARS}) as text, m.is_outgoing, m.kind, m.sent_at from messages m
      where m.owner_id = ${ownerId}::uuid and m.peer_user_id = l.telegram_user_id and m.deleted_at is null
      order by m.sent_at desc, coalesce(m.message_id, 2147483647) desc, m.id desc limit 1
    ) m on true order by ${order}`.execute(db);
  return rows;
}

/** Returns a page of the leads that the search of the leads list finds. */
const search = (db: Db, ownerId: string, query: InboxQuery, q: string): Promise<Row[]> =>
  byIndexes(db, async (tx) => {
    const finding = await foundBy(tx, ownerId, q);
    const view = viewOf(ownerId, query);
    const first = await firstFound(tx, query, view, finding);
    const leads =
      first === null
        ? sql`select * from (${view}) l where l.id in (${finding.all})`
        : sql`select * from leads l where l.id = any(${first}::uuid[])`;
    return readRows(tx, ownerId, query, leads);
  });

/** How many pages of the view are scanned for hits: a few to see how frequent hits are, then more if they are frequent. */
const LOOKS = [2, 20];

/**
 * Finds one more than a page of hits by scanning the start of the view; null if hits are too rare for that. So a frequent word costs no
 * more than what is shown.
 */
async function firstFound(
  tx: Tx,
  query: InboxQuery,
  leads: RawBuilder<unknown>,
  { isFound }: Finding,
): Promise<string[] | null> {
  const wanted = query.limit + 1;
  const { order } = clausesOf(query);
  for (const times of LOOKS) {
    const look = times * wanted;
    const first = sql`select l.id from (${leads}) l order by ${order} limit ${look}`;
    // oxlint-disable-next-line no-await-in-loop -- whether to look further is known after the first look
    const { rows } = await sql<{ seen: number; ids: string[] }>`select (select count(*)::int from (${first}) l) as seen,
      array(select l.id from (${first}) l where ${isFound(sql`l.id`)} limit ${wanted}) as ids`.execute(tx);
    const { seen, ids } = rows[0] ?? { seen: 0, ids: [] };
    if (ids.length >= wanted || seen < look) return ids;
    if (ids.length * (Math.max(...LOOKS) / times) < wanted) return null;
  }
  return null;
}

const itemOf = (row: Row): InboxItem => ({
  lead: { id: row.id, name: row.name, username: row.username, stage_id: row.stage_id },
  last:
    row.sent_at === null || row.message === null
      ? null
      : {
          id: row.message,
          text: row.text ?? "",
          direction: row.is_outgoing ? "out" : "in",
          kind: row.kind,
          at: row.sent_at,
        },
  waiting_since: row.waiting_since,
  unread: row.unread,
});

/** Counts the waiting and unread conversations, each with a partial index. */
export async function countInbox(db: Db, ownerId: string): Promise<InboxCounts> {
  const { rows } = await sql<InboxCounts>`select
    (select count(*)::int from leads where owner_id = ${ownerId}::uuid and waiting_since is not null) as waiting,
    (select count(*)::int from leads where owner_id = ${ownerId}::uuid and unread > 0) as unread`.execute(db);
  return rows[0] ?? { waiting: 0, unread: 0 };
}
