import { sql } from "kysely";
import { linksIn, linksTo, withoutLinks } from "../../domain/reminder-text.ts";
import type { Tx } from "../db/index.ts";
import type { Candidate } from "./candidate.ts";
import { freedName } from "./names.ts";

type Person = { telegram_user_id: string; username: string | null };

const linksToAll = (people: readonly Person[]): Set<string> => new Set(people.flatMap(linksTo));
const keep = (tx: Tx, id: string, body: string) =>
  sql`update outbox set body = ${body} where id = ${id}::bigint`.execute(tx);

/** Frees the dedupe key of a reminder or digest and deletes its leads' marks, so that they are planned again once the rule is on. */
export async function freeReminder(tx: Tx, id: string): Promise<void> {
  await sql`
    with freed as (select reminder_id, lead_id, epoch, dedupe_key from outbox where id = ${id}::bigint), unmarked as (
      delete from reminder_marks m using freed f where m.reminder_id = f.reminder_id and m.lead_id = f.lead_id and m.epoch = f.epoch
    ), unmarked_by_digest as (
      delete from reminder_marks m using freed f where f.lead_id is null and m.reminder_id = f.reminder_id and m.digest = f.dedupe_key
    ), checked_again as (
      update reminders set told_until = null where id = (select reminder_id from freed)
    )
    update outbox set dedupe_key = ${freedName} where id = ${id}::bigint`.execute(tx);
}

/** Removes leads excluded since a digest was written from its text, in the claiming transaction. */
export async function removeExcludedFromDigest(
  tx: Tx,
  ownerId: string,
  row: Pick<Candidate, "id" | "kind" | "lead_id" | "body">,
): Promise<void> {
  const { id, body } = row;
  if (row.kind !== "reminder" || row.lead_id !== null || body === null) return;
  const links = linksIn(body);
  if (links.length === 0) return;
  const { rows } = await sql<Person>`select telegram_user_id, username from exclusions where owner_id = ${ownerId}::uuid
    and ('tg://user?id=' || telegram_user_id = any(${links}::text[]) or 'https://t.me/' || lower(username) = any(${links}::text[]))`.execute(
    tx,
  );
  const left = withoutLinks(body, linksToAll(rows));
  if (left === body) return;
  await keep(tx, id, left);
  row.body = left;
}

/**
 * Removes people from digests, sent or not, in the caller's transaction. Of digests in the ledger only the first line stays, because the
 * stored text may end within a name.
 */
export async function eraseFromDigests(tx: Tx, ownerId: string, people: readonly Person[]): Promise<void> {
  const links = linksToAll(people);
  const { rows } = await sql<{ id: string; body: string }>`select id, body from outbox
    where lead_id is null and kind = 'reminder' and owner_id = ${ownerId}::uuid and body is not null order by id for update`.execute(
    tx,
  );
  for (const { id, body } of rows) {
    const left = withoutLinks(body, links);
    if (left !== body) await keep(tx, id, left);
  }
  await sql`update ledger set excerpt = split_part(excerpt, E'\n', 1)
    where owner_id = ${ownerId}::uuid and kind = 'reminder' and lead_id is null and strpos(excerpt, E'\n') > 0`.execute(
    tx,
  );
}
