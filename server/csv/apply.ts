import { sql, type RawBuilder } from "kysely";
import type { ImportResult } from "../../domain/csv.ts";
import { TAGS_MAX } from "../../domain/limits.ts";
import { TAG_DEFAULT_COLOR } from "../../domain/tag.ts";
import { refuse } from "../core/problem.ts";
import type { Tx } from "../db/index.ts";

/** `byKey` is the name of the API key that imports. */
export type Import = { id: string; ownerId: string; at: string; byKey: string | null };

/** A story shows the start of a long text. */
const EVENT_VALUE_CHARS = 120;

/** Rows applied by one statement, which must stay within the statement timeout. */
const ROWS_A_STATEMENT = 2_000;

/** A range of row numbers, both inclusive. */
type Rows = { from: number; to: number };

const rowsOf = ({ id }: Import, rows?: Rows) =>
  sql`lead_import_rows r where r.import_id = ${id}::uuid and r.lead_id is not null${
    rows === undefined ? sql`` : sql` and r.row between ${rows.from} and ${rows.to}`
  }`;

/** Selects the values of matched rows that differ from the lead's: row, lead_id, target, before, after (jsonb). */
const differences = (of: Import, rows?: Rows): RawBuilder<unknown> => sql`
  select r.row, r.lead_id, 'notes' as target, to_jsonb(l.notes) as before, to_jsonb(r.notes) as after
  from (select * from ${rowsOf(of, rows)} and r.notes is not null) r join leads l on l.id = r.lead_id where l.notes is distinct from r.notes
  union all
  select r.row, r.lead_id, 'tags', to_jsonb(h.names), to_jsonb(r.tags) from (select * from ${rowsOf(of, rows)} and r.tags is not null) r
  cross join lateral (
    select coalesce(array_agg(g.name order by lower(g.name)), '{}') as names, coalesce(array_agg(lower(g.name) order by lower(g.name)), '{}') as known
    from lead_tags t join tags g on g.id = t.tag_id where t.lead_id = r.lead_id and g.deleted_at is null
  ) h
  where h.known <> array(select lower(n) from unnest(r.tags) n order by 1)
  union all
  select r.row, r.lead_id, 'field.' || s.key, coalesce(to_jsonb(v.text_value), to_jsonb(v.number_value)), s.value
  from (select * from ${rowsOf(of, rows)} and r.fields is not null) r cross join lateral jsonb_each(r.fields) s
  left join lead_fields v on v.lead_id = r.lead_id and v.field_id = s.key::uuid
  where coalesce(to_jsonb(v.text_value), to_jsonb(v.number_value)) is distinct from s.value`;

/** Counts the rows that match a lead, and the leads that they change. */
export async function countChanges(tx: Tx, of: Import): Promise<{ matched: number; changed: number }> {
  const { rows } = await sql<{ matched: number; changed: number }>`
    select (select count(*)::int from ${rowsOf(of)}) as matched,
      (select count(distinct d.lead_id)::int from (${differences(of)}) d) as changed`.execute(tx);
  return rows[0] ?? { matched: 0, changed: 0 };
}

export async function firstChanges(tx: Tx, of: Import, most: number): Promise<ImportResult["changes"]> {
  const { rows } = await sql<ImportResult["changes"][number]>`
    select d.row, jsonb_build_object('id', l.id, 'name', l.name) as lead, d.target, d.before, d.after
    from (${differences(of)}) d join leads l on l.id = d.lead_id order by d.row, d.target limit ${most}`.execute(tx);
  return rows;
}

/**
 * Applies the matched rows and adds events to the leads' stories. Creates tags that do not exist yet.
 * @throws ProblemError 409 when there would be too many tags
 */
export async function applyRows(tx: Tx, of: Import): Promise<void> {
  await makeTags(tx, of);
  const { rows } = await sql<{ last: number }>`select coalesce(max(r.row), 0)::int as last from ${rowsOf(of)}`.execute(
    tx,
  );
  for (let from = 1; from <= (rows[0]?.last ?? 0); from += ROWS_A_STATEMENT)
    await applySlice(tx, of, { from, to: from + ROWS_A_STATEMENT - 1 });
}

async function applySlice(tx: Tx, of: Import, slice: Rows): Promise<void> {
  const { ownerId, at } = of;
  const by = sql`${of.byKey === null ? "person" : "key"}::text, ${of.byKey}::text`;
  await sql`
    with d as materialized (${differences(of, slice)}),
    noted as (
      insert into lead_events (owner_id, lead_id, type, by_kind, by_name, detail, at)
      select ${ownerId}::uuid, d.lead_id, 'note_changed', ${by}, '{}', ${at}::timestamptz from d where d.target = 'notes'
    ), told as (
      insert into lead_events (owner_id, lead_id, type, by_kind, by_name, detail, at)
      select ${ownerId}::uuid, d.lead_id, 'fields_changed', ${by}, jsonb_build_object('changes', jsonb_agg(jsonb_build_object('id', f.id,
        'name', f.name, 'before', ${shortened(sql`d.before`)}, 'after', ${shortened(sql`d.after`)}) order by lower(f.name))), ${at}::timestamptz
      from d join fields f on f.id = split_part(d.target, '.', 2)::uuid where d.target like 'field.%' group by d.lead_id
    ), tagged as (
      insert into lead_events (owner_id, lead_id, type, by_kind, by_name, detail, at)
      select ${ownerId}::uuid, d.lead_id, 'tags_changed', ${by}, jsonb_build_object(
        'added', ${tagsOf(ownerId, sql`d.after`, sql`d.before`)}, 'removed', ${tagsOf(ownerId, sql`d.before`, sql`d.after`)}), ${at}::timestamptz
      from d where d.target = 'tags'
    ), valued as (
      insert into lead_fields as v (owner_id, lead_id, field_id, text_value, number_value)
      select ${ownerId}::uuid, d.lead_id, split_part(d.target, '.', 2)::uuid, case when jsonb_typeof(d.after) = 'string' then d.after #>> '{}' end,
        case when jsonb_typeof(d.after) = 'number' then (d.after #>> '{}')::double precision end
      from d where d.target like 'field.%' order by d.lead_id
      on conflict (field_id, lead_id) do update set text_value = excluded.text_value, number_value = excluded.number_value
    ), untagged as (
      delete from lead_tags t using d, tags g where d.target = 'tags' and t.lead_id = d.lead_id and g.id = t.tag_id and g.deleted_at is null
        and not exists (select from jsonb_array_elements_text(d.after) n(name) where lower(n.name) = lower(g.name))
    ), retagged as (
      insert into lead_tags (owner_id, tag_id, lead_id)
      select ${ownerId}::uuid, g.id, d.lead_id from d cross join lateral jsonb_array_elements_text(d.after) n(name)
        join tags g on g.owner_id = ${ownerId}::uuid and g.deleted_at is null and lower(g.name) = lower(n.name)
      where d.target = 'tags' order by d.lead_id on conflict (tag_id, lead_id) do nothing
    )
    update leads l set notes = d.after #>> '{}' from d where d.target = 'notes' and l.id = d.lead_id`.execute(tx);
}

const shortened = (value: RawBuilder<unknown>) =>
  sql`case when jsonb_typeof(${value}) = 'string' then to_jsonb(left(${value} #>> '{}', ${EVENT_VALUE_CHARS})) else ${value} end`;

/** Selects the names that are only in the first list, as tags. */
const tagsOf = (ownerId: string, names: RawBuilder<unknown>, without: RawBuilder<unknown>) => sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by lower(g.name)) from jsonb_array_elements_text(${names}) n(name)
  join tags g on g.owner_id = ${ownerId}::uuid and g.deleted_at is null and lower(g.name) = lower(n.name)
  where not exists (select from jsonb_array_elements_text(${without}) o(name) where lower(o.name) = lower(n.name))), '[]')`;

async function makeTags(tx: Tx, of: Import): Promise<void> {
  const { ownerId, at } = of;
  await sql`select pg_advisory_xact_lock(hashtext('tags'), hashtext(${ownerId}))`.execute(tx);
  await sql`insert into tags (owner_id, name, color, created_at)
    select ${ownerId}::uuid, min(n), ${TAG_DEFAULT_COLOR}, ${at}::timestamptz from (select * from ${rowsOf(of)}) r
    cross join lateral unnest(r.tags) n
    where not exists (select from tags g where g.owner_id = ${ownerId}::uuid and g.deleted_at is null and lower(g.name) = lower(n))
    group by lower(n)`.execute(tx);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from tags
    where owner_id = ${ownerId}::uuid and deleted_at is null`.execute(tx);
  if ((rows[0]?.n ?? 0) > TAGS_MAX) throw refuse(409, "too_many_tags", { reason: "file", limit: TAGS_MAX });
}
