import { sql, type RawBuilder } from "kysely";

const contains = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;

/** The ids of the owner's leads whose name or username holds `q`, or who have a message with all its words. */
export function foundBy(ownerId: string, text: string): RawBuilder<{ id: string }> {
  const q = text.trim().replace(/^@/, "");
  const owner = sql`${ownerId}::uuid`;
  const words = sql`(select words_query(${owner}, ${q}))`;
  return sql`select n.id from leads n where n.owner_id = ${owner} and lower(n.name) like ${contains(q)}
    union select n.id from leads n where n.owner_id = ${owner} and lower(n.username) like ${contains(q)}
    union select n.id from leads n where n.owner_id = ${owner} and n.notes is not null and message_words(${owner}, n.notes) @@ ${words}
    union select n.id from (
      select m.owner_id, m.peer_user_id from messages m where m.words @@ ${words} offset 0
    ) m join leads n on n.owner_id = ${owner} and n.telegram_user_id = m.peer_user_id where m.owner_id = ${owner}`;
}
