import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../db/index.ts";
import { holdSendsOfAll } from "../outbox/entry.ts";

/** Tables whose rows go with a lead, and what a row must still find when it comes back. */
export const HANGS_ON_LEAD: readonly { table: string; needs?: { table: string; by: string } }[] = [
  { table: "stage_history" },
  { table: "lead_events" },
  { table: "reminder_marks", needs: { table: "reminders", by: "reminder_id" } },
  { table: "lead_tags", needs: { table: "tags", by: "tag_id" } },
  { table: "lead_fields", needs: { table: "fields", by: "field_id" } },
];

/** The sends of a batch that is still under way wait so long at most for what becomes of it. */
const BATCH_MOST_MS = 3_600_000;

const rowsOf = (table: string): RawBuilder<unknown> =>
  sql`${sql.lit(table)}, coalesce((select jsonb_agg(to_jsonb(t)) from ${sql.table(table)} t where t.lead_id = l.id), '[]')`;

/**
 * Takes leads out of every list, in the caller's transaction: nothing of these people is stored from its end on, and nothing goes out to
 * them. What was stored waits until `undoUntil`, null while their batch is under way.
 * @param leads.leadIds those of anybody else are passed over
 * @returns the leads that were taken out
 */
export async function excludeLeads(
  tx: Tx,
  leads: {
    ownerId: string;
    leadIds: readonly string[];
    at: string;
    undoUntil: string | null;
    batchId: string | null;
    /** the name of the key that excludes them */
    byKey?: string | null;
  },
): Promise<string[]> {
  const { ownerId, at, undoUntil, batchId, byKey = null } = leads;
  await holdSendsOfAll(tx, leads);
  const { rows: locked } = await sql<{ id: string }>`select id from leads
    where owner_id = ${ownerId}::uuid and id = any(${leads.leadIds}::uuid[]) order by id for update`.execute(tx);
  const ids = locked.map(({ id }) => id);
  if (ids.length === 0) return ids;
  const rest = undoUntil ?? new Date(Date.parse(at) + BATCH_MOST_MS).toISOString();
  await sql`
    insert into exclusions (owner_id, telegram_user_id, name, username, excluded_at, undo_until, batch_id, by_key, lead_id, kept)
    select l.owner_id, l.telegram_user_id, l.name, l.username, ${at}::timestamptz, ${undoUntil}::timestamptz, ${batchId}::uuid, ${byKey}::text, l.id,
      jsonb_build_object('leads', jsonb_build_array(to_jsonb(l)), ${sql.join(HANGS_ON_LEAD.map(({ table }) => rowsOf(table)))},
        'sends', coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'not_before', o.not_before)) from outbox o
          where o.lead_id = l.id and o.state = 'pending'), '[]'))
    from leads l where l.id = any(${ids}::uuid[])`.execute(tx);
  await sql`update outbox set not_before = greatest(not_before, ${rest}::timestamptz)
    where lead_id = any(${ids}::uuid[]) and state = 'pending'`.execute(tx);
  // Whoever moves a lead, or brings one back, takes what its stage holds before what tags and fields hold. Where none hang on these leads, what
  // the stages hold is taken last: another lane goes on meanwhile.
  await sql`select from lead_totals t join (select distinct stage_id from leads where id = any(${ids}::uuid[])) s
    on t.stage_id is not distinct from s.stage_id where t.owner_id = ${ownerId}::uuid
      and (exists (select from lead_tags where lead_id = any(${ids}::uuid[])) or exists (select from lead_fields where lead_id = any(${ids}::uuid[])))
    order by t.stage_id for no key update of t`.execute(tx);
  // Before their leads, at once: a lead that goes takes its rows along one table and one lead at a time.
  for (const { table } of HANGS_ON_LEAD)
    await sql`delete from ${sql.table(table)} where lead_id = any(${ids}::uuid[])`.execute(tx);
  await sql`delete from leads where id = any(${ids}::uuid[])`.execute(tx);
  return ids;
}

/**
 * Brings excluded leads back as they were, with all that hung on them and what was to be sent to them, while that is possible. A lead whose
 * stage was deleted meanwhile comes into the first one, as those did that were in it.
 * @param which selects of exclusions `e`
 * @returns the leads that are there again
 */
export async function restoreExcluded(
  tx: Tx,
  { ownerId, which, at }: { ownerId: string; which: RawBuilder<boolean>; at: string },
): Promise<string[]> {
  const { rows } = await sql<{ telegram_user_id: string; lead_id: string }>`
    select e.telegram_user_id, e.lead_id from exclusions e where e.owner_id = ${ownerId}::uuid and ${which} and e.lead_id is not null
      and (e.undo_until is null or e.undo_until > ${at}::timestamptz) order by e.telegram_user_id for update`.execute(
    tx,
  );
  if (rows.length === 0) return [];
  const people = rows.map((row) => row.telegram_user_id);
  const restoreRows = (table: string, where: RawBuilder<unknown> = sql`true`) => sql`
    select restore_rows(${`public.${table}`}::regclass, coalesce(jsonb_agg(r.row), '[]')) from exclusions e
      cross join lateral jsonb_array_elements(e.kept -> ${sql.lit(table)}) r(row)
    where e.owner_id = ${ownerId}::uuid and e.telegram_user_id = any(${people}::bigint[]) and ${where}`;
  await sql`update exclusions e set kept = jsonb_set(e.kept, '{leads,0}', e.kept #> '{leads,0}' || jsonb_build_object('stage_id', s.id,
      'stage_entry_epoch', (e.kept #>> '{leads,0,stage_entry_epoch}')::int + 1, 'followup_order_sent', 0, 'last_followup_sent_at', null,
      'stage_entered_at', ${at}::timestamptz))
    from (select (select id from stages where owner_id = ${ownerId}::uuid order by "order" limit 1) as id) s
    where e.owner_id = ${ownerId}::uuid and e.telegram_user_id = any(${people}::bigint[]) and e.kept #>> '{leads,0,stage_id}' is not null
      and not exists (select from stages t where t.id = (e.kept #>> '{leads,0,stage_id}')::uuid)`.execute(tx);
  await restoreRows("leads").execute(tx);
  for (const { table, needs } of HANGS_ON_LEAD)
    await restoreRows(
      table,
      needs &&
        sql`exists (select from ${sql.table(needs.table)} n where n.id = (r.row ->> ${sql.lit(needs.by)})::uuid)`,
    ).execute(tx);
  await sql`update outbox o set not_before = (r.row ->> 'not_before')::timestamptz
    from exclusions e cross join lateral jsonb_array_elements(e.kept -> 'sends') r(row)
    where e.owner_id = ${ownerId}::uuid and e.telegram_user_id = any(${people}::bigint[])
      and o.id = (r.row ->> 'id')::bigint and o.state = 'pending'`.execute(tx);
  await sql`delete from exclusions where owner_id = ${ownerId}::uuid and telegram_user_id = any(${people}::bigint[])`.execute(
    tx,
  );
  return rows.map((row) => row.lead_id);
}
