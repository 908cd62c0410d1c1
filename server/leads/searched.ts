import { sql, type RawBuilder } from "kysely";
import type { LeadsQuery } from "../../domain/lead.ts";
import type { Tx } from "../db/index.ts";
import { inStage } from "./filter.ts";
import type { LeadOrder } from "./order.ts";
import type { Finding } from "./search.ts";

export type Search = {
  finding: Finding;
  /** further conditions on table `leads`, owner included; null for none */
  rest: RawBuilder<unknown> | null;
  order: LeadOrder;
  /** whether finding is expensive enough to run it once and store the hits */
  isCostly: boolean;
};
type Page = Pick<LeadsQuery, "limit" | "offset">;
type Found = { ids: string[]; total: number };

/** Up to this number, hits are looked up one by one; above it, reading the owner's leads is cheaper. */
const ONE_BY_ONE = 1_000;
/** Up to this number, hits are found once and reused. */
const MANY = 10_000;
/** Before all hits are sorted, this multiple of the leads expected to contain a page of hits is scanned in list order. */
const LOOKED_AT = 2;
const LOOKED_AT_MOST = 20_000;

/** Returns the ids of a page of a search's hits, and their number. For a transaction whose plans use the indexes. */
export async function findLeads(tx: Tx, ownerId: string, original: Search, page: Page): Promise<Found> {
  const once = original.isCostly ? await findOnce(tx, original) : null;
  const search = once?.search ?? original;
  const counted = once === null ? sql`(select count(*)::int from (${search.finding.all}) f)` : sql`${once.total}::int`;
  const { rows } = await sql<{ total: number; leads: number }>`select ${counted} as total,
    (select coalesce(sum(total), 0)::int from lead_totals where owner_id = ${ownerId}::uuid) as leads`.execute(tx);
  const { total, leads } = rows[0] ?? { total: 0, leads: 0 };
  if (total <= (search.rest === null ? page.offset : 0)) return { ids: [], total: search.rest === null ? total : 0 };
  if (total > ONE_BY_ONE && search.rest === null) {
    const ids = await firstInOrder(tx, ownerId, search, page, { total, leads });
    if (ids.length >= Math.min(page.limit, total - page.offset)) return { ids, total };
  }
  return sortHits(tx, ownerId, search, page, total);
}

/** Returns how many leads a search finds, and the same search with its hits as literals, unless there are too many. */
async function findOnce(tx: Tx, search: Search): Promise<{ total: number; search: Search }> {
  const { rows } = await sql<{ total: number; ids: string | null }>`
    with found as materialized (${search.finding.all}), counted as (select count(*)::int as total from found)
    select total, case when total <= ${MANY} then array(select lead_id from found)::text end as ids from counted`.execute(
    tx,
  );
  const { total, ids } = rows[0] ?? { total: 0, ids: "{}" };
  if (ids === null) return { total, search };
  const all = sql`select unnest(${ids}::uuid[]) as lead_id`;
  return { total, search: { ...search, finding: { ...search.finding, all } } };
}

/** Returns the page's hits among the first leads of the order: a full page if hits are spread evenly. */
async function firstInOrder(
  tx: Tx,
  ownerId: string,
  { finding: { all, isFound }, order: { key, from, present, isDescending } }: Search,
  { limit, offset }: Page,
  { total, leads }: { total: number; leads: number },
): Promise<string[]> {
  const most = Math.ceil((LOOKED_AT * (offset + limit) * leads) / total);
  if (most > LOOKED_AT_MOST) return [];
  // Few hits are found all at once; for many, each scanned lead is checked, unless there are many of these too.
  const isMaterialized = total <= MANY;
  const among = (hits: RawBuilder<unknown>) => sql`walked.id in (select lead_id from ${hits} f)`;
  const hits = isMaterialized ? sql`with found as materialized (${all})` : sql``;
  const isHit = isMaterialized ? among(sql`found`) : most > ONE_BY_ONE ? among(sql`(${all})`) : isFound(sql`walked.id`);
  const { rows } = await sql<{ ids: string[] }>`${hits}
    select array(select walked.id from (
      select id, row_number() over () as place from (
        select leads.id from ${from} where ${inStage(ownerId, undefined)} and ${present}
        order by ${key} ${way(isDescending)}, leads.created_at desc, leads.id desc limit ${most}
      ) first
    ) walked where ${isHit}
    order by walked.place limit ${limit} offset ${offset}) as ids`.execute(tx);
  return rows[0]?.ids ?? [];
}

async function sortHits(
  tx: Tx,
  ownerId: string,
  { finding: { all }, rest, order: { key, joined, isDescending } }: Search,
  { limit, offset }: Page,
  most: number,
): Promise<Found> {
  const where = rest ?? inStage(ownerId, undefined);
  const columns = sql`leads.id, leads.created_at, ${key} as key`;
  const isHashed = rest !== null && most > MANY;
  const hits = isHashed
    ? sql`found as materialized (${all}), narrowed as materialized (select ${columns} from leads ${joined} where ${where}),
      hits as materialized (select n.id, n.created_at, n.key from narrowed n join found on found.lead_id = n.id)`
    : rest === null && most > ONE_BY_ONE
      ? sql`hits as materialized (select ${columns} from leads ${joined} where ${where} and leads.id in (${all}))`
      : sql`found as materialized (${all}), hits as materialized (select ${columns}
        from found cross join lateral (select * from leads where leads.id = found.lead_id limit 1) leads ${joined} where ${where})`;
  const joinByHash = (isOnly: boolean) =>
    sql`select set_config(name, ${isOnly ? "off" : "on"}, true) from (values ('enable_nestloop'), ('enable_mergejoin')) ways(name)`.execute(
      tx,
    );
  // The planner expects few hits and would scan all leads for each of them.
  if (isHashed) await joinByHash(true);
  const { rows } = await sql<Found>`
    with ${hits}
    select (select count(*)::int from hits) as total, array(
      select id from hits order by key is null, key ${way(isDescending)}, created_at desc, id desc limit ${limit} offset ${offset}
    ) as ids`.execute(tx);
  if (isHashed) await joinByHash(false);
  return rows[0] ?? { ids: [], total: 0 };
}

const way = (isDescending: boolean) => (isDescending ? sql`desc` : sql`asc`);
