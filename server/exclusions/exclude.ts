import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../db/index.ts";
import { beforeStageDeletion } from "../lead-rows/lead.ts";
import { holdSendsOfAll } from "../outbox/entry.ts";
import { advancePastStep } from "../outbox/settle-refused.ts";
import { type Delivery, recordOnLead } from "../outbox/settle.ts";

/** Tables whose rows are deleted and restored with a lead. A row is only restored if what it `needs` still exists. */
export const LEAD_DEPENDENT_TABLES: readonly { table: string; needs?: { table: string; by: string } }[] = [
  { table: "stage_history" },
  { table: "lead_events" },
  { table: "reminder_marks", needs: { table: "reminders", by: "reminder_id" } },
  { table: "lead_tags", needs: { table: "tags", by: "tag_id" } },
  { table: "lead_fields", needs: { table: "fields", by: "field_id" } },
];

/** Sends to leads of a running batch are held for at most this long. */
const BATCH_MOST_MS = 3_600_000;

const rowsOf = (table: string): RawBuilder<unknown> =>
  sql`${sql.lit(table)}, coalesce((select jsonb_agg(to_jsonb(t)) from ${sql.table(table)} t where t.lead_id = l.id), '[]')`;

/**
 * Removes leads from every list, in the caller's transaction: from its end on, nothing about these people is stored or sent to them.
 * Existing data is kept until `undoUntil`, which is null while their batch runs.
 * @param leads.leadIds leads of other owners are skipped
 * @returns the removed leads
 */
export async function excludeLeads(
  tx: Tx,
  leads: {
    ownerId: string;
    leadIds: readonly string[];
    at: string;
    undoUntil: string | null;
    batchId: string | null;
    /** the name of the API key that excludes them */
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
      jsonb_build_object('leads', jsonb_build_array(to_jsonb(l)), ${sql.join(LEAD_DEPENDENT_TABLES.map(({ table }) => rowsOf(table)))},
        'sends', coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'not_before', o.not_before)) from outbox o
          where o.lead_id = l.id and o.state = 'pending'), '[]'))
    from leads l where l.id = any(${ids}::uuid[])`.execute(tx);
  await sql`update outbox set not_before = greatest(not_before, ${rest}::timestamptz)
    where lead_id = any(${ids}::uuid[]) and state = 'pending'`.execute(tx);
  // Moves and restores lock the totals of stages before those of tags and fields. Without tags and fields on these leads, the totals of
  // stages are locked last, so that another lane can continue.
  await sql`select from lead_totals t join (select distinct stage_id from leads where id = any(${ids}::uuid[])) s
    on t.stage_id is not distinct from s.stage_id where t.owner_id = ${ownerId}::uuid
      and (exists (select from lead_tags where lead_id = any(${ids}::uuid[])) or exists (select from lead_fields where lead_id = any(${ids}::uuid[])))
    order by t.stage_id for no key update of t`.execute(tx);
  // Before the leads and all at once: deleting a lead would cascade one table and one lead at a time.
  for (const { table } of LEAD_DEPENDENT_TABLES)
    await sql`delete from ${sql.table(table)} where lead_id = any(${ids}::uuid[])`.execute(tx);
  await sql`delete from leads where id = any(${ids}::uuid[])`.execute(tx);
  return ids;
}

/**
 * Restores excluded leads with all their rows and pending sends, as long as undo is possible. A lead whose stage was deleted since
 * is held in the first stage, like the other leads of that stage.
 * @param which a condition over exclusions `e`
 * @returns the restored leads
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
  await holdSendsOfAll(tx, { ownerId, leadIds: rows.map((row) => row.lead_id) });
  const restoreRows = (table: string, where: RawBuilder<unknown> = sql`true`) => sql`
    select restore_rows(${`public.${table}`}::regclass, coalesce(jsonb_agg(r.row), '[]')) from exclusions e
      cross join lateral jsonb_array_elements(e.kept -> ${sql.lit(table)}) r(row)
    where e.owner_id = ${ownerId}::uuid and e.telegram_user_id = any(${people}::bigint[]) and ${where}`;
  // The same values as in `moveLeadsOut`. `before` is the original row, for the stage history that restoring the stage reads.
  await sql`update exclusions e set kept = jsonb_set(e.kept, '{leads,0}', e.kept #> '{leads,0}' || jsonb_build_object('stage_id', s.id,
      'stage_entry_epoch', (e.kept #>> '{leads,0,stage_entry_epoch}')::int + 1, 'followup_order_sent', 0, 'last_followup_sent_at', null,
      'stage_entered_at', ${at}::timestamptz, 'held_until', null, 'held_from', e.kept #> '{leads,0,stage_id}',
      'held_at', case when e.kept #>> '{leads,0,held_until}' is null then coalesce((e.kept #>> '{leads,0,held_at}')::timestamptz, ${at}::timestamptz)
        else ${at}::timestamptz end)) || jsonb_build_object('before', e.kept #> '{leads,0}')
    from (select (select id from stages where owner_id = ${ownerId}::uuid order by "order" limit 1) as id) s
    where e.owner_id = ${ownerId}::uuid and e.telegram_user_id = any(${people}::bigint[]) and e.kept #>> '{leads,0,stage_id}' is not null
      and not exists (select from stages t where t.id = (e.kept #>> '{leads,0,stage_id}')::uuid)`.execute(tx);
  await restoreRows("leads").execute(tx);
  for (const { table, needs } of LEAD_DEPENDENT_TABLES)
    await restoreRows(
      table,
      needs &&
        sql`exists (select from ${sql.table(needs.table)} n where n.id = (r.row ->> ${sql.lit(needs.by)})::uuid)`,
    ).execute(tx);
  await sql`insert into stage_history (owner_id, lead_id, from_stage_id, to_stage_id, reason, epoch, by_key, at, undo)
    select l.owner_id, l.id, b.stage_id, l.stage_id, 'stage_deleted', l.stage_entry_epoch,
      (select by_key from stage_removals where stage_id = b.stage_id), ${at}::timestamptz, ${beforeStageDeletion("b")}
    from exclusions e cross join lateral jsonb_populate_record(null::leads, e.kept -> 'before') b join leads l on l.id = b.id
    where e.owner_id = ${ownerId}::uuid and e.telegram_user_id = any(${people}::bigint[]) and e.kept -> 'before' is not null`.execute(
    tx,
  );
  await sql`update outbox o set not_before = (r.row ->> 'not_before')::timestamptz
    from exclusions e cross join lateral jsonb_array_elements(e.kept -> 'sends') r(row)
    where e.owner_id = ${ownerId}::uuid and e.telegram_user_id = any(${people}::bigint[])
      and o.id = (r.row ->> 'id')::bigint and o.state = 'pending'`.execute(tx);
  await recordSettledSends(tx, ownerId, people);
  await sql`delete from exclusions where owner_id = ${ownerId}::uuid and telegram_user_id = any(${people}::bigint[])`.execute(
    tx,
  );
  return rows.map((row) => row.lead_id);
}

type SettledSend = Delivery & {
  leadId: string;
  state: "sent" | "unknown";
  telegramUserId: string;
  messageId: number;
  date: string;
};

/** Records the messages that were in flight when the leads were excluded, and the steps they used. */
async function recordSettledSends(tx: Tx, ownerId: string, people: readonly string[]): Promise<void> {
  const { rows } = await sql<SettledSend>`
    select o.id, o.owner_id as "ownerId", o.kind, o.state, o.lead_id as "leadId", o.followup_id as "followupId", o.epoch,
      coalesce(o.body, j.message, '') as text, coalesce(o.media_id, j.media_id) as "mediaId", o.account_user_id as "telegramUserId",
      o.message_id as "messageId", coalesce((select m.sent_at from messages m where m.outbox_id = o.id), o.settled_at) as date
    from exclusions e join outbox o on o.lead_id = e.lead_id and o.owner_id = e.owner_id and o.settled_at >= e.excluded_at
      left join bulk_jobs j on j.id = o.job_id
    where e.owner_id = ${ownerId}::uuid and e.telegram_user_id = any(${people}::bigint[]) and o.state in ('sent', 'unknown')
      and o.kind <> 'reminder' order by o.settled_at, o.id`.execute(tx);
  for (const send of rows) {
    // Telegram describes its copy of a photo only in the response, which was not stored.
    if (send.state === "sent") await recordOnLead(tx, send, send, { ...send, photo: null });
    else if (send.followupId !== null) await advancePastStep(tx, { ...send, followupId: send.followupId });
  }
}
