import { sql } from "kysely";
import type { BoardQuery } from "../../domain/board-query.ts";
import type { LeadFilter } from "../../domain/lead-filter.ts";
import type { Db } from "../db/index.ts";
import { leadColumns } from "./columns.ts";
import { leadConditions } from "./filter.ts";

const EMPTY = '{"columns":[]}';
const NEWEST = sql`created_at desc, id desc`;

/** The field that is the value, or null: asked once a statement. */
const valueField = (ownerId: string) =>
  sql`(select id from fields where owner_id = ${ownerId}::uuid and is_value and deleted_at is null)`;

/**
 * An owner's board as JSON text built by Postgres: a column a stage, with how many leads match, what their value field sums up to (null
 * where no field is the value) and the first of them. Without a filter counts and sums are kept ones: a column costs what it shows.
 */
export async function readBoard(db: Db, ownerId: string, { per_stage: perStage, ...filter }: BoardQuery) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== "");
  const query = isFiltered ? await filtered(db, ownerId, perStage, filter) : whole(ownerId, perStage);
  const { rows } = await query.execute(db);
  return rows[0]?.board ?? EMPTY;
}

type Read = { board: string };

const whole = (ownerId: string, perStage: number) => sql<Read>`
  select json_build_object('columns', coalesce(json_agg(json_build_object(
    'stage_id', s.id,
    'total', coalesce((select t.total from lead_totals t where t.owner_id = s.owner_id and t.stage_id = s.id), 0),
    'value', case when ${valueField(ownerId)} is not null then coalesce(
      (select v.total from value_totals v where v.field_id = ${valueField(ownerId)} and v.stage_id = s.id), 0) end,
    'leads', coalesce((select json_agg(row_to_json(t)) from (
      select ${leadColumns(ownerId)} from leads where owner_id = ${ownerId}::uuid and stage_id = s.id order by ${NEWEST} limit ${perStage}
    ) t), '[]'::json)
  ) order by s."order"), '[]'::json))::text as board
  from stages s where s.owner_id = ${ownerId}::uuid`;

/** The hits are found once, by the filter's own index, and serve counts, sums and columns. */
async function filtered(db: Db, ownerId: string, perStage: number, filter: LeadFilter) {
  const where = await leadConditions(db, ownerId, filter);
  return sql<Read>`
    with hits as materialized (
      select id, stage_id, row_number() over (partition by stage_id order by ${NEWEST}) as place from leads where ${where}
    ), shown as materialized (select id, stage_id from hits where place <= ${perStage}),
    counted as (
      select h.stage_id, count(*)::int as total, sum(v.number_value::numeric) as value
      from hits h left join lead_fields v on v.lead_id = h.id and v.field_id = ${valueField(ownerId)} group by h.stage_id
    )
    select json_build_object('columns', coalesce(json_agg(json_build_object(
      'stage_id', s.id,
      'total', coalesce(c.total, 0),
      'value', case when ${valueField(ownerId)} is not null then coalesce(c.value, 0) end,
      'leads', coalesce((select json_agg(row_to_json(t)) from (
        select ${leadColumns(ownerId)} from leads where id = any(array(select p.id from shown p where p.stage_id = s.id)) order by ${NEWEST}
      ) t), '[]'::json)
    ) order by s."order"), '[]'::json))::text as board
    from stages s left join counted c on c.stage_id = s.id where s.owner_id = ${ownerId}::uuid`;
}
