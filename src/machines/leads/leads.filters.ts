import { LEADS_PAGE_SIZE } from "../../../domain/limits.ts";
import { endOfDay, readDate, startOfDay } from "./leads.dates.ts";

/** The head of the table as it is typed; an empty text filters nothing. Dates are MM/dd/yyyy. */
export type LeadFilters = {
  name: string;
  username: string;
  stageId: string;
  from: string;
  to: string;
  followups: string;
  awaitingReply: "" | "yes" | "no";
  /** What the table's head has no place for, as the address holds it: `q=price&tag=…&sort=name&columns=…`. */
  more: string;
};
export type FilterField = keyof LeadFilters;

export const NO_FILTERS: LeadFilters = {
  name: "",
  username: "",
  stageId: "",
  from: "",
  to: "",
  followups: "",
  awaitingReply: "",
  more: "",
};

/** Yes-or-no filters that the table's head has no place for, by their names in the API. */
export const FLAG_FILTERS = ["opted_out", "unreachable"] as const;
export type FlagFilter = (typeof FLAG_FILTERS)[number];

const IN_MORE: readonly string[] = ["q", "tag", ...FLAG_FILTERS, "sort", "columns"];
/** True for a name that stands in `more`: a filter, the sort, or the columns, which are the page's own. */
export const isMore = (name: string): boolean => IN_MORE.includes(name) || /^field\../.test(name);

/** As a query: a tag may stand more than once. */
function moreOf(more: string): Record<`field.${string}`, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, text] of new URLSearchParams(more))
    if (name !== "columns") query[name] = name === "tag" ? [query[name] ?? [], text].flat() : text;
  return query;
}

/** The query of `GET /leads`: one page of what the filters let through. */
export type LeadsRequest = {
  limit: number;
  offset: number;
  name?: string;
  username?: string;
  stage_id?: string;
  followup_order_sent?: string;
  /** ISO, the first instant of the day in the person's own zone. */
  created_start?: string;
  /** ISO, 23:59:59.999 of the day in the person's own zone. */
  created_end?: string;
  awaiting_reply?: "true" | "false";
  /** The lean answer: ids alone. */
  fields?: "id";
  [more: `field.${string}`]: string | string[];
};

/** What to ask for page `page` (from 1) under `filters`; blank filters and All are left out. */
export function requestOf(filters: LeadFilters, page: number, limit: number = LEADS_PAGE_SIZE): LeadsRequest {
  const from = readDate(filters.from);
  const to = readDate(filters.to);
  return {
    limit,
    offset: (page - 1) * LEADS_PAGE_SIZE,
    ...(filters.name.trim() && { name: filters.name.trim() }),
    ...(filters.username.trim() && { username: filters.username.trim() }),
    ...(filters.stageId && { stage_id: filters.stageId }),
    ...(filters.followups.trim() && { followup_order_sent: filters.followups.trim() }),
    ...(from && { created_start: startOfDay(from).toISOString() }),
    ...(to && { created_end: endOfDay(to).toISOString() }),
    ...moreOf(filters.more),
    ...(filters.awaitingReply && { awaiting_reply: filters.awaitingReply === "yes" ? "true" : "false" }),
  };
}

/** True for a list in another order than its own, the newest first. */
export const isSorted = ({ more }: LeadFilters): boolean => new URLSearchParams(more).has("sort");

/** What tells who came since the newest known lead, `at`; without one, the least that tells how many match. */
export function arrivalsOf(filters: LeadFilters, at: string | null): LeadsRequest {
  const { sort: _sort, ...request }: LeadsRequest & { sort?: unknown } = requestOf(filters, 1);
  if (at === null) return { ...request, limit: 1 };
  const { created_start: first } = request;
  const isLater = at !== "" && (first === undefined || Date.parse(at) > Date.parse(first));
  return { ...request, fields: "id", ...(isLater && { created_start: at }) };
}

/** The same as one string without the page, as everything takes it that means all who match. */
export function queryOf(filters: LeadFilters): string {
  const { limit: _limit, offset: _offset, ...query } = requestOf(filters, 1);
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((text) => [name, text])),
  ).toString();
}

/** True when no date is half typed, each is empty or a day of the calendar, and they stand in their order. */
export const areDatesReadable = (filters: LeadFilters): boolean =>
  [filters.from, filters.to].every((text) => text.trim() === "" || readDate(text) !== null) && !isReversed(filters);

/** True when the last day comes before the first. */
export function isReversed({ from, to }: Pick<LeadFilters, "from" | "to">): boolean {
  const [first, last] = [readDate(from), readDate(to)];
  return first !== null && last !== null && startOfDay(last) < startOfDay(first);
}

export function withoutFields(filters: LeadFilters, fields: readonly FilterField[]): LeadFilters {
  const cleared = Object.fromEntries(fields.map((field) => [field, ""]));
  return { ...filters, ...cleared };
}
