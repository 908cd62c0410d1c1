import type { Readable } from "node:stream";
import { CompiledQuery, sql, type RawBuilder } from "kysely";
import type { LeadsQuery } from "../../domain/lead.ts";
import { FIELD_KEY } from "../../domain/lead-filter.ts";
import { byIndexes, HOT_STATEMENT, type Db, type DbOrTx, type Tx } from "../db/index.ts";
import { lastMessage, leadColumns } from "./columns.ts";
import { inStage, isImpossibleStage, leadConditions, markedLeads } from "./filter.ts";
import { streamLeads } from "./large-list.ts";
import { idsInOrder, leadOrder } from "./order.ts";
import { matchesOf, foundBy, searchText } from "./search.ts";
import { findLeads } from "./searched.ts";
import { standingTotal } from "./standings.ts";

const detailColumns = (ownerId: string, automation: object) => sql`${leadColumns(ownerId)}, unreachable_reason,
  unread, ${lastMessage(ownerId)}, ${JSON.stringify(automation)}::json as automation, draft`;
const idOnly = sql.raw("id");
const listedColumns = (ownerId: string, { include }: Pick<LeadsQuery, "include">): RawBuilder<unknown> =>
  include === undefined ? leadColumns(ownerId) : sql.join([leadColumns(ownerId), lastMessage(ownerId)]);
const EMPTY = '{"leads":[],"total":0}';
/** From this offset on, row ids are read from the index before the rows. */
const DEEP_OFFSET = 2_000;

/**
 * Returns a page of an owner's leads, newest first, with the filter's total, as JSON text built by Postgres. Totals come from counters if
 * only the stage is filtered, and late pages are read from the index's other end: neither counting nor skipping grows with the number of
 * leads.
 */
export async function listLeads(db: Db, ownerId: string, query: LeadsQuery): Promise<string> {
  if (isImpossibleStage(query)) return EMPTY;
  if (!isCounted(query) || query.sort !== undefined || query.offset >= DEEP_OFFSET)
    return orderedPage(db, ownerId, query);
  const stageId = query.stage_id || undefined;
  const { rows } = await (isHot(query)
    ? hotPage(db, ownerId, stageId, query)
    : page(ownerId, inStage(ownerId, stageId), totalOf(ownerId, stageId), query).execute(db));
  return rows[0]?.page ?? EMPTY;
}

/** Pages longer than this are read and sent in slices. */
const LARGE_PAGE = 2_000;
export const isLargePage = (query: LeadsQuery): boolean => query.limit > LARGE_PAGE;

/** The same page as a stream, for lengths whose JSON would block the event loop. */
export async function streamLargePage(db: Db, ownerId: string, query: LeadsQuery): Promise<Readable> {
  const page = await readIds(db, ownerId, query);
  return streamLeads(db, { ...page, columns: query.fields === "id" ? null : listedColumns(ownerId, query) });
}

/** Returns every id of a page in order, joined without a separator (36 bytes each), and the filter's total. */
export async function readIds(db: Db, ownerId: string, query: LeadsQuery): Promise<{ ids: string; total: number }> {
  if (isImpossibleStage(query)) return { ids: "", total: 0 };
  const where = await leadConditions(db, ownerId, query);
  const order = await leadOrder(db, ownerId, query.sort);
  return byIndexes(db, async (tx) => {
    const total = await count(tx, ownerId, query, where);
    if (query.offset >= total) return { ids: "", total };
    const { rows } = await sql<{ ids: string }>`
      select array_to_string(${idsInOrder(where, order, { ...query, total })}, '') as ids`.execute(tx);
    return { ids: rows[0]?.ids ?? "", total };
  });
}

/** The query's keys that are not filters. */
const PAGING = new Set(["limit", "offset", "sort", "fields", "include"]);
const NOTHING: ReadonlySet<string> = new Set();
const STAGE_ALONE: ReadonlySet<string> = new Set(["stage_id"]);
/** The filters that stored counters cover besides the stage. */
const COUNTED_APART: ReadonlySet<string> = new Set(["stage_id", "opted_out", "unreachable"]);

const activeFilters = (query: Partial<LeadsQuery>): string[] =>
  Object.entries(query).flatMap(([key, value]) =>
    PAGING.has(key) || value === "" || value === undefined ? [] : [key],
  );

/** True if all filters that are set are among these. */
const isNarrowedBy = (query: Partial<LeadsQuery>, names: ReadonlySet<string>): boolean =>
  activeFilters(query).every((key) => names.has(key));

const MARKS: ReadonlySet<string> = new Set(["name", "username", "tag"]);
/** True if only names, tags and fields are filtered: their rows belong to the owner, as do their leads. */
const isMarkedAlone = (query: LeadsQuery): boolean =>
  activeFilters(query).every((key) => MARKS.has(key) || FIELD_KEY.test(key));

const isCounted = (query: LeadsQuery): boolean => isNarrowedBy(query, STAGE_ALONE);
const isUnfiltered = (query: Partial<LeadsQuery>): boolean => isNarrowedBy(query, NOTHING);

/** Reads a page as one text; `start` begins the statement. */
const page = (
  ownerId: string,
  where: RawBuilder<unknown>,
  total: RawBuilder<number>,
  { fields, include, limit, offset }: Pick<LeadsQuery, "fields" | "include" | "limit" | "offset">,
  [start, most, from]: RawBuilder<unknown>[] = [sql``, sql`${limit}`, sql`${offset}`],
) => sql<{ page: string }>`${start} select json_build_object('leads', coalesce((select json_agg(row_to_json(t)) from (
    select ${fields === "id" ? idOnly : listedColumns(ownerId, { include })} from leads where ${where} order by created_at desc, id desc limit ${most} offset ${from}
  ) t), '[]'::json), 'total', ${total})::text as page`;

const HOT_LIMIT = 50;
const HOT_PAGES = 10;

/** True for the first pages of the app's own list. */
const isHot = ({ fields, limit, offset }: LeadsQuery): boolean =>
  fields === undefined && limit === HOT_LIMIT && offset % HOT_LIMIT === 0 && offset < HOT_PAGES * HOT_LIMIT;

const OWNER = "the owner";
const STAGE = "the stage";
const hotTexts = new Map<string, { text: string; parameters: readonly unknown[] }>();

/**
 * The same as a statement built once per page and prepared once per connection. Limit and offset are literals: with parameters Postgres
 * would plan for any length, and would never cache the plan.
 */
function hotPage(db: Db, ownerId: string, stageId: string | undefined, query: LeadsQuery) {
  const key = `${query.offset} ${stageId === undefined ? "all" : "stage"} ${query.include ?? ""}`;
  let hot = hotTexts.get(key);
  if (hot === undefined) {
    const literal = (value: number) => sql.raw(String(value));
    const parts = [sql.raw(HOT_STATEMENT), literal(query.limit), literal(query.offset)];
    const stage = stageId === undefined ? undefined : STAGE;
    const built = page(OWNER, inStage(OWNER, stage), totalOf(OWNER, stage), query, parts).compile(db);
    hot = { text: built.sql, parameters: built.parameters };
    hotTexts.set(key, hot);
  }
  const values = hot.parameters.map((parameter) => (parameter === OWNER ? ownerId : stageId));
  return db.executeQuery<{ page: string }>(CompiledQuery.raw(hot.text, values));
}

const totalOf = (ownerId: string, stageId: string | undefined): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(total), 0)::int from lead_totals where owner_id = ${ownerId}::uuid
    ${stageId === undefined ? sql`` : sql`and stage_id = ${stageId}::uuid`})`;

/** Reads a page in any order and with any filter: first the ids, then the leads. */
async function orderedPage(db: Db, ownerId: string, query: LeadsQuery): Promise<string> {
  const q = searchText(query.q);
  if (q !== "") return searchedPage(db, ownerId, query, q);
  const where = await leadConditions(db, ownerId, query);
  const order = await leadOrder(db, ownerId, query.sort);
  return byIndexes(db, async (tx) => {
    const total = await count(tx, ownerId, query, where);
    if (query.offset >= total) return JSON.stringify({ leads: [], total });
    return pageOf(tx, ownerId, query, { ids: idsInOrder(where, order, { ...query, total }), total });
  });
}

/** The same for a search, with the position of each match. */
async function searchedPage(db: Db, ownerId: string, query: LeadsQuery, q: string): Promise<string> {
  const { q: _, ...rest } = query;
  const search = {
    finding: await foundBy(db, ownerId, q),
    rest: isUnfiltered(rest) ? null : await leadConditions(db, ownerId, rest),
    order: await leadOrder(db, ownerId, query.sort),
    // Several words are searched in all messages.
    isCostly: /\s/.test(q),
  };
  return byIndexes(db, async (tx) => {
    const { ids, total } = await findLeads(tx, ownerId, search, query);
    const page = await pageOf(tx, ownerId, query, { ids: sql`${ids}::uuid[]`, total });
    return query.fields === "id" ? page : withMatches(tx, ownerId, page, q);
  });
}

/** @param page.ids in order */
async function pageOf(
  tx: Tx,
  ownerId: string,
  query: LeadsQuery,
  { ids, total }: { ids: RawBuilder<unknown>; total: number },
): Promise<string> {
  const wanted = query.fields === "id" ? sql`leads.id` : listedColumns(ownerId, query);
  const { rows } = await sql<{ page: string }>`
    select json_build_object('leads', coalesce((select json_agg(row_to_json(t)) from (
      select ${wanted} from unnest(${ids}) with ordinality o (lead, place)
      join leads on leads.id = o.lead order by o.place
    ) t), '[]'::json), 'total', ${total}::int)::text as page`.execute(tx);
  return rows[0]?.page ?? EMPTY;
}

/** Adds to each lead of the page where the search matched. */
async function withMatches(tx: Tx, ownerId: string, page: string, q: string): Promise<string> {
  const { leads, total } = JSON.parse(page) as { leads: { id: string }[]; total: number };
  const ids = leads.map(({ id }) => id);
  const matches = await matchesOf(tx, ownerId, ids, q);
  return JSON.stringify({ leads: leads.map((lead) => ({ ...lead, match: matches.get(lead.id) ?? null })), total });
}

async function count(tx: Tx, ownerId: string, query: LeadsQuery, where: RawBuilder<unknown>): Promise<number> {
  const total = await storedTotal(tx, ownerId, query, where);
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(tx);
  return rows[0]?.total ?? 0;
}

/** Counts by stored counters, or by the rows of the names or of the only tag or field, where possible. */
async function storedTotal(
  tx: Tx,
  ownerId: string,
  query: LeadsQuery,
  where: RawBuilder<unknown>,
): Promise<RawBuilder<number>> {
  if (isCounted(query)) return totalOf(ownerId, query.stage_id || undefined);
  if (isNarrowedBy(query, COUNTED_APART)) return sql<number>`(${standingTotal(ownerId, query)})`;
  const [marked, ...others] = isMarkedAlone(query) ? await markedLeads(tx, ownerId, query) : [];
  return marked == null || others.length > 0
    ? sql<number>`(select count(*)::int from leads where ${where})`
    : sql<number>`(select count(*)::int ${marked})`;
}

/** Returns a lead as JSON text built by Postgres, with the state of its automation; null if it is not the owner's. */
export async function readLead(db: DbOrTx, ownerId: string, id: string, automation: object): Promise<string | null> {
  const { rows } = await sql<{ lead: string }>`
    select row_to_json(t)::text as lead from (
      select ${detailColumns(ownerId, automation)} from leads where id = ${id}::uuid and owner_id = ${ownerId}::uuid
    ) t`.execute(db);
  return rows[0]?.lead ?? null;
}
