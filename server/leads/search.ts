import { sql, type RawBuilder } from "kysely";
import { excerptAround } from "../../domain/keyword-excerpt.ts";
import type { LeadMatch } from "../../domain/lead.ts";
import { placeInName, placeInWords, placesInWords, type Place } from "../../domain/search-place.ts";
import type { DbOrTx } from "../db/index.ts";

/** The search text as typed, without the @ of a username. */
export const searchText = (q: string | undefined): string => (q ?? "").trim().replace(/^@/, "").trim();

export type Finding = {
  /** selects the ids of all leads found, as `lead_id` */
  all: RawBuilder<unknown>;
  /** whether it finds the lead with this id; for few leads, checked one by one */
  isFound: (id: RawBuilder<unknown>) => RawBuilder<boolean>;
};

/** How many of the newest leads are checked to find the rarest word. */
const ASKED = 40;

/**
 * Finds the owner's leads whose name or username contains the text, or that have all its words (or prefixes) in the notes or in one
 * message. One word is looked up among all words of a lead (if those are too many, in its messages). For several words, the index finds the
 * messages with one of them and each is checked for the rest: the word that the fewest of the newest leads have, the longest on a tie.
 */
export async function foundBy(db: DbOrTx, ownerId: string, text: string): Promise<Finding> {
  const owner = sql`${ownerId}::uuid`;
  const leads = sql`select w.lead_id from lead_words w where w.owner_id = ${owner} and w.words @@ lead_query(${owner}, ${text})`;
  const some = sql`select w.words from (
      select l.id from leads l where l.owner_id = ${owner} order by l.created_at desc, l.id desc limit ${ASKED}
    ) l join lead_words w on w.lead_id = l.id`;
  const { rows } = await sql<{
    words: number | null;
    rarest: string | null;
    has_full: boolean;
  }>`select numnode(words_query(${owner}, ${text})) as words,
    (select t.term from (select *, count(*) over () as terms from search_terms(${text}) where not is_whole) t order by
      case when t.terms > 1 then (select count(*) from (${some}) s where s.words @@ words_query(${owner}, t.term)) end,
      length(t.term) desc, t.term limit 1) as rarest,
    exists (select from lead_words where owner_id = ${owner} and is_full) as has_full`.execute(db);
  const { words, rarest, has_full: hasFull } = rows[0] ?? { words: null, rarest: null, has_full: false };
  const all = sql`m.words @@ words_query(${owner}, ${text})`;
  const holding = rarest === null ? all : sql`m.words @@ words_query(${owner}, ${rarest}) and (${all}) is true`;
  const inLeads = { all: leads, isFound: oneByOne(ownerId, sql`w.words @@ lead_query(${owner}, ${text})`) };
  // Reads only the lead's own messages; an index over all words would be read in full for each lead.
  const inMessages = sql`coalesce((select true from leads n join messages m on m.owner_id = n.owner_id and m.peer_user_id = n.telegram_user_id
    where n.id = w.lead_id and (${all}) is true limit 1), false)`;
  const isFoundWhere = (mayHold: RawBuilder<unknown>) =>
    oneByOne(ownerId, sql`w.words @@ lead_query(${owner}, ${text}) or (${mayHold} and ${inMessages})`);
  if ((words ?? 0) > 1)
    return {
      // Looks up each lead once, however many messages match.
      all: sql`${leads} union select n.id from (
        select distinct m.peer_user_id from messages m where ${holding} and (m.owner_id = ${owner}) is true offset 0
      ) m join leads n on n.telegram_user_id = m.peer_user_id where n.owner_id = ${owner}`,
      isFound: isFoundWhere(sql`(w.is_full or w.words @@ words_query(${owner}, ${text}))`),
    };
  if (!hasFull || words === null) return inLeads;
  return {
    all: sql`${leads} union select n.id from lead_words f join leads n on n.id = f.lead_id
    where f.owner_id = ${owner} and f.is_full and exists (select from messages m
      where m.owner_id = n.owner_id and m.peer_user_id = n.telegram_user_id and m.words @@ words_query(${owner}, ${text}))`,
    isFound: isFoundWhere(sql`w.is_full`),
  };
}

/** A scalar subquery runs per lead by key; the planner could turn an `exists` into a scan of all rows. */
const oneByOne = (ownerId: string, holds: RawBuilder<unknown>) => (id: RawBuilder<unknown>) =>
  sql<boolean>`coalesce((select ${holds} from lead_words w where w.lead_id = ${id} and w.owner_id = ${ownerId}::uuid), false)`;

type Row = { id: string; name: string | null; username: string | null; notes: string | null };

/** Returns where a search matched each of the owner's leads: in the name, the username, the notes or the newest matching message. */
export async function matchesOf(
  db: DbOrTx,
  ownerId: string,
  ids: readonly string[],
  text: string,
): Promise<Map<string, LeadMatch>> {
  const { rows } = await sql<Row>`
    select id, name, username, notes from leads where owner_id = ${ownerId}::uuid and id = any(${ids}::uuid[])`.execute(
    db,
  );
  const matches = new Map<string, LeadMatch>();
  for (const row of rows) {
    const match = inLead(row, text);
    if (match !== null) matches.set(row.id, match);
  }
  const others = ids.filter((id) => !matches.has(id));
  if (others.length === 0) return matches;
  const { rows: messages } = await sql<{ lead_id: string; id: string; text: string }>`
    select l.id as lead_id, m.id::text, m.text from leads l cross join lateral (
      select m.id, m.text from messages m
      where m.owner_id = l.owner_id and m.peer_user_id = l.telegram_user_id and m.words @@ words_query(${ownerId}::uuid, ${text})
      order by m.sent_at desc, coalesce(m.message_id, 2147483647) desc, m.id desc limit 1
    ) m where l.owner_id = ${ownerId}::uuid and l.id = any(${others}::uuid[])`.execute(db);
  for (const message of messages)
    matches.set(message.lead_id, createMatch("message", message.text, placeInWords(message.text, text), message.id));
  for (const row of rows) {
    const match = matches.has(row.id) ? null : inNotes(row, text);
    if (match !== null) matches.set(row.id, match);
  }
  return matches;
}

function inLead({ name, username, notes }: Row, text: string): LeadMatch | null {
  for (const [where, value] of [
    ["name", name],
    ["username", username],
  ] as const) {
    const place = value === null ? null : placeInName(value, text);
    if (value !== null && place !== null) return createMatch(where, value, place, null);
  }
  const [first, ...others] = notes === null ? [] : placesInWords(notes, text);
  // If the notes have only some of the words, a message matched.
  if (notes === null || first == null || others.includes(null)) return null;
  return createMatch("notes", notes, first, null);
}

function inNotes({ notes }: Pick<Row, "notes">, text: string): LeadMatch | null {
  const place = notes === null ? null : placeInWords(notes, text);
  return notes === null || place === null ? null : createMatch("notes", notes, place, null);
}

function createMatch(
  where: LeadMatch["where"],
  value: string,
  place: Place | null,
  messageId: string | null,
): LeadMatch {
  const { excerpt, matched } = excerptAround(value, place);
  return { where, text: excerpt, start: matched?.start ?? 0, length: matched?.length ?? 0, message_id: messageId };
}
