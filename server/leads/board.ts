import { sql, type RawBuilder } from "kysely";
import type { BoardQuery } from "../../domain/lead-filter.ts";
import { byIndexes, type Db, type DbOrTx } from "../db/index.ts";
import { leadColumns } from "./columns.ts";
import { leadConditions } from "./filter.ts";
import { idsInOrder, leadOrder, type LeadOrder } from "./order.ts";

const EMPTY = '{"columns":[]}';
const NEWEST = sql`created_at desc, id desc`;

/** The id of the value field, or null; evaluated once per statement. */
const valueField = (ownerId: string) =>
  sql`(select id from fields where owner_id = ${ownerId}::uuid and is_value and deleted_at is null)`;

/**
 * Returns an owner's board as JSON text built by Postgres: per stage the number of matching leads, the sum of their value field (null if no
 * field is the value field) and the first leads, newest first unless sorted. Without a filter, counts and sums come from stored totals.
 */
export async function readBoard(
  db: Db,
  ownerId: string,
  { per_stage: perStage, sort, ...filter }: BoardQuery,
): Promise<string> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== "");
  const where = isFiltered ? await leadConditions(db, ownerId, filter) : null;
  const order = sort === undefined ? null : await leadOrder(db, ownerId, sort);
  const board = boardOf(ownerId, {
    counts: where === null ? storedCounts : found(ownerId, where, perStage),
    leads:
      order === null ? newest(ownerId, perStage, where !== null) : sorted(ownerId, order, perStage, where !== null),
  });
  const read = async (on: DbOrTx) => (await board.execute(on)).rows[0]?.board ?? EMPTY;
  return where === null && order === null ? read(db) : byIndexes(db, read);
}

/** How a statement counts: its start, and for stage `s` the number of leads and the sum of their values, null for none. */
type Counts = {
  start: RawBuilder<unknown>;
  total: RawBuilder<unknown>;
  value(field: RawBuilder<unknown>): RawBuilder<unknown>;
};

/** @param parts.leads selects the leads of stage `s`, in order */
const boardOf = (ownerId: string, { counts, leads }: { counts: Counts; leads: RawBuilder<unknown> }) => sql<{
  board: string;
}>`
  ${counts.start} select json_build_object('columns', coalesce(json_agg(json_build_object(
    'stage_id', s.id,
    'total', coalesce(${counts.total}, 0),
    'value', case when ${valueField(ownerId)} is not null then coalesce(${counts.value(valueField(ownerId))}, 0) end,
    'leads', coalesce((select json_agg(row_to_json(t)) from (${leads}) t), '[]'::json)
  ) order by s."order"), '[]'::json))::text as board
  from stages s where s.owner_id = ${ownerId}::uuid`;

const storedCounts: Counts = {
  start: sql``,
  total: sql`(select t.total from lead_totals t where t.owner_id = s.owner_id and t.stage_id = s.id)`,
  value: (field) => sql`(select v.total from value_totals v where v.field_id = ${field} and v.stage_id = s.id)`,
};

/** Finds the hits once, by the filter's own index, for counts, sums and columns. */
const found = (ownerId: string, where: RawBuilder<unknown>, perStage: number): Counts => ({
  start: sql`with hits as materialized (
      select id, stage_id, row_number() over (partition by stage_id order by ${NEWEST}) as place from leads where ${where}
    ), shown as materialized (select id, stage_id from hits where place <= ${perStage}),
    counted as materialized (
      select h.stage_id, count(*)::int as total, sum(v.number_value::numeric) as value
      from hits h left join lead_fields v on v.lead_id = h.id and v.field_id = ${valueField(ownerId)} group by h.stage_id
    )`,
  total: sql`(select c.total from counted c where c.stage_id = s.id)`,
  value: () => sql`(select c.value from counted c where c.stage_id = s.id)`,
});

const newest = (ownerId: string, perStage: number, isFiltered: boolean) => sql`select ${leadColumns(ownerId)} from leads
  where ${isFiltered ? sql`id = any(array(select p.id from shown p where p.stage_id = s.id))` : ofStage(ownerId)}
  order by ${NEWEST} limit ${perStage}`;

const sorted = (ownerId: string, order: LeadOrder, perStage: number, isFiltered: boolean) => {
  const where = isFiltered ? sql`leads.id in (select h.id from hits h where h.stage_id = s.id)` : ofStage(ownerId);
  const ids = idsInOrder(where, order, { total: perStage, limit: perStage, offset: 0 });
  return sql`select ${leadColumns(ownerId)} from unnest(${ids}) with ordinality o (lead, place)
    join leads on leads.id = o.lead order by o.place`;
};

const ofStage = (ownerId: string) => sql`leads.owner_id = ${ownerId}::uuid and leads.stage_id = s.id`;
