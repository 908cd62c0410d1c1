import { sql } from "kysely";
import type { Db } from "../db/index.ts";

/** Only the newest messages are read, so that the cost of a preview does not grow with the store. */
export const MESSAGES_MOST = 100_000;
const MESSAGES_A_PAGE = 2_000;
const MOVES_A_PAGE = 5_000;

export type Span = { since: string; until: string };
type Page = { json: string; rows: number; at: string | null; id: string | null };

/** Returns the period to read: from the requested time, or from the oldest of the newest `most` messages. */
export async function spanOf(db: Db, ownerId: string, { since, until }: Span, most: number): Promise<Span> {
  const { rows } = await sql<{ since: string }>`
    select sent_at as since from messages where owner_id = ${ownerId}::uuid and not is_outgoing and sent_at > ${since}::timestamptz
      and sent_at <= ${until}::timestamptz
    order by sent_at desc, id desc offset ${most - 1} limit 1`.execute(db);
  return { since: rows[0]?.since ?? since, until };
}

/** Reads an owner's stage moves in a period, oldest first, as pages of JSON for the thread. */
export const movesIn = (db: Db, ownerId: string, { since, until }: Span): AsyncGenerator<string> =>
  pages(MOVES_A_PAGE, async (after) => {
    const { rows } = await sql<Page>`
      with page as (
        select id, lead_id, from_stage_id, to_stage_id, reason, message_id, at from stage_history
        where owner_id = ${ownerId}::uuid and at >= ${since}::timestamptz and at <= ${until}::timestamptz
          and (${after?.at ?? null}::timestamptz is null or (at, id) > (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::bigint))
        order by at, id limit ${MOVES_A_PAGE}
      )
      select coalesce(json_agg(json_build_array(lead_id, extract(epoch from at) * 1000, from_stage_id, to_stage_id, reason, message_id)
          order by at, id), '[]')::text as json,
        count(*)::int as rows, (array_agg(at order by at desc, id desc))[1] as at, (array_agg(id order by at desc, id desc))[1] as id
      from page`.execute(db);
    return rows[0];
  });

/** Reads the incoming messages of an owner's leads in a period, oldest first, as pages of JSON for the thread. */
export const messagesIn = (db: Db, ownerId: string, { since, until }: Span): AsyncGenerator<string> =>
  pages(MESSAGES_A_PAGE, async (after) => {
    const { rows } = await sql<Page>`
      with page as materialized (
        select id, peer_user_id, message_id, text, sent_at, deleted_at from messages
        where owner_id = ${ownerId}::uuid and not is_outgoing and sent_at <= ${until}::timestamptz
          and (sent_at, id) > (${after?.at ?? since}::timestamptz, ${after?.id ?? "0"}::bigint)
        order by sent_at, id limit ${MESSAGES_A_PAGE}
      )
      select coalesce(json_agg(json_build_array(l.id, l.stage_id, extract(epoch from p.sent_at) * 1000, p.message_id, p.text)
          order by p.sent_at, p.id) filter (where l.id is not null and p.deleted_at is null), '[]')::text as json,
        count(*)::int as rows, (array_agg(p.sent_at order by p.sent_at desc, p.id desc))[1] as at,
        (array_agg(p.id order by p.sent_at desc, p.id desc))[1] as id
      from page p left join lateral (
        -- One by one from the index: a page is little beside all leads.
        select id, stage_id from leads where owner_id = ${ownerId}::uuid and telegram_user_id = p.peer_user_id limit 1
      ) l on true`.execute(db);
    return rows[0];
  });

async function* pages(
  size: number,
  read: (after: { at: string; id: string } | null) => Promise<Page | undefined>,
): AsyncGenerator<string> {
  for (let after: { at: string; id: string } | null = null; ;) {
    const page: Page | undefined = await read(after);
    if (page === undefined || page.rows === 0 || page.at === null || page.id === null) return;
    yield page.json;
    if (page.rows < size) return;
    after = { at: page.at, id: page.id };
  }
}
