import { sql } from "kysely";
import {
  percentage,
  type Conversion,
  type ConversionRequest,
  type DailyVolume,
  type FunnelStep,
  type StageShare,
} from "../../domain/stats.ts";
import type { Db } from "../db/index.ts";

/** A range of creation times, start inclusive. An end in milliseconds includes that millisecond's microseconds. */
export type Range = { start: string; end: string };

const inRange = (ownerId: string, { start, end }: Range) => sql`
  l.owner_id = ${ownerId}::uuid and l.created_at >= ${start}::timestamptz and l.created_at < ${end}::timestamptz + interval '1 millisecond'`;

/** Counts new leads per UTC day; zero for days without leads. */
export async function dailyVolume(db: Db, ownerId: string, range: Range): Promise<DailyVolume[]> {
  const { rows } = await sql<DailyVolume>`
    with counted as (
      select (l.created_at at time zone 'UTC')::date as day, count(*)::int as n from leads l where ${inRange(ownerId, range)} group by 1
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(c.n, 0) as lead_count
    from (select generate_series((${range.start}::timestamptz at time zone 'UTC')::date, (${range.end}::timestamptz at time zone 'UTC')::date, interval '1 day')::date as day) d
    left join counted c on c.day = d.day order by d.day`.execute(db);
  return rows;
}

export async function totalLeads(db: Db, ownerId: string, range: Range): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*)::int as total from leads l where ${inRange(ownerId, range)}`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Counts leads of the range by current stage, with the sums of their value field. */
export async function stageBreakdown(db: Db, ownerId: string, range: Range): Promise<StageShare[]> {
  const field = await db
    .selectFrom("fields")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("is_value", "=", true)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const values = sql`left join lead_fields v on v.lead_id = l.id and v.field_id = ${field?.id ?? null}::uuid`;
  const { rows } = await sql<StageShare>`
    select l.stage_id, count(*)::int as count${field === undefined ? sql`` : sql`, coalesce(sum(v.number_value::numeric), 0)::float8 as value`}
    from leads l left join stages s on s.id = l.stage_id ${field === undefined ? sql`` : values}
    where ${inRange(ownerId, range)} group by l.stage_id, s."order" order by s."order" nulls last`.execute(db);
  return rows;
}

/** The highest order that each lead of the range reached, by the current order of the stages in its history. */
const furthest = (ownerId: string, range: Range, orders: ReturnType<typeof sql>) => sql`
  with ranged as materialized (select l.id, l.stage_id from leads l where ${inRange(ownerId, range)})
  select been.id, been.stage_id, coalesce(max(o."order"), 0) as reached
  from (
    select id, stage_id, stage_id as in_stage from ranged
    union all
    select r.id, r.stage_id, h.to_stage_id from ranged r join stage_history h on h.lead_id = r.id where h.owner_id = ${ownerId}::uuid
  ) been
  left join (${orders}) o on o.id = been.in_stage
  group by been.id, been.stage_id`;

const presentOrders = (ownerId: string) => sql`select id, "order" from stages where owner_id = ${ownerId}::uuid`;

/**
 * Returns the share of leads in the range that reached the target stage or a later one.
 * @param request.stages ids in order, or objects with id and order; empty means the current stages
 */
export async function conversion(db: Db, ownerId: string, request: ConversionRequest): Promise<Conversion> {
  const given = request.stages.map((stage, index) =>
    typeof stage === "string" ? { id: stage, order: index + 1 } : { id: stage.id, order: stage.order ?? index + 1 },
  );
  const orders =
    given.length === 0
      ? presentOrders(ownerId)
      : sql`select s.id, g."order" from stages s join jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id text, "order" double precision)
          on g.id = s.id::text where s.owner_id = ${ownerId}::uuid`;
  const { rows } = await sql<{ count: number; total: number }>`
    with reached as (${furthest(ownerId, request, orders)}),
    target as (select "order" from (${orders}) t where t.id::text = ${request.stage_id})
    select count(*)::int as total, (count(*) filter (where r.reached >= t."order"))::int as count
    from reached r left join target t on true`.execute(db);
  const { count, total } = rows[0] ?? { count: 0, total: 0 };
  return { percentage: percentage(count, total), count, total };
}

type FunnelRow = {
  stage_id: string;
  name: string;
  order: number;
  current: number;
  reached: number;
  median_hours_in_stage: number | null;
};

/** Returns the stages in order: how many leads of the range are in each or reached it, and how long they stayed. */
export async function funnel(db: Db, ownerId: string, range: Range): Promise<FunnelStep[]> {
  const { rows } = await sql<FunnelRow>`
    with reached as materialized (${furthest(ownerId, range, presentOrders(ownerId))}),
    spans as (
      select h.to_stage_id, extract(epoch from (lead(h.at) over (partition by h.lead_id order by h.at, h.id) - h.at)) / 3600 as hours
      from stage_history h join reached r on r.id = h.lead_id
    ),
    medians as (
      select to_stage_id, percentile_cont(0.5) within group (order by hours) as hours from spans where hours is not null group by to_stage_id
    )
    select s.id as stage_id, s.name, s."order", (select count(*)::int from reached r where r.stage_id = s.id) as current,
      (select count(*)::int from reached r where r.reached >= s."order") as reached, round(m.hours::numeric, 1)::float8 as median_hours_in_stage
    from stages s left join medians m on m.to_stage_id = s.id
    where s.owner_id = ${ownerId}::uuid order by s."order"`.execute(db);
  const first = rows[0]?.reached ?? 0;
  return rows.map((row, index) => {
    const next = rows[index + 1];
    return {
      ...row,
      next_rate: next === undefined ? null : percentage(next.reached, row.reached),
      cumulative_rate: percentage(row.reached, first),
    };
  });
}
