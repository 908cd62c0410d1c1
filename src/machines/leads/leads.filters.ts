import { LEADS_PAGE_SIZE } from "../../../domain/limits.ts";
import { endOfDay, readDate, startOfDay } from "./leads.dates.ts";

/** The filters in the table's head, as typed; an empty text filters nothing. Dates are MM/dd/yyyy. */
export type LeadFilters = {
  name: string;
  username: string;
  stageId: string;
  from: string;
  to: string;
  followups: string;
  awaitingReply: "" | "yes" | "no";
  /** Filters outside of the table's head, as in the address: `q=price&tag=…&sort=name&columns=…`. */
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

/** Filters outside of the table's head that have one value, by their API names. */
export const VALUE_FILTERS = ["opted_out", "unreachable"] as const;
export type ValueFilter = (typeof VALUE_FILTERS)[number];

const IN_MORE: readonly string[] = ["q", "tag", ...VALUE_FILTERS, "sort", "columns"];
/** Whether a name belongs to `more`: a filter, the sort, or the columns, which only the page uses. */
export const isMore = (name: string): boolean => IN_MORE.includes(name) || /^field\../.test(name);

/** Returns a query; a tag may occur several times. */
function moreOf(more: string): Record<`field.${string}`, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, text] of new URLSearchParams(more))
    if (name !== "columns") query[name] = name === "tag" ? [query[name] ?? [], text].flat() : text;
  return query;
}

/** The query of `GET /leads`: one page of matches. */
export type LeadsRequest = {
  limit: number;
  offset: number;
  name?: string;
  username?: string;
  stage_id?: string;
  followup_order_sent?: string;
  /** ISO, the first instant of the day in the user's time zone. */
  created_start?: string;
  /** ISO, 23:59:59.999 of the day in the user's time zone. */
  created_end?: string;
  awaiting_reply?: "true" | "false";
  /** Requests ids only. */
  fields?: "id";
  [more: `field.${string}`]: string | string[];
};

/** Returns the request for page `page` (from 1) under `filters`, without blank filters and All. */
export function requestOf(filters: LeadFilters, page: number): LeadsRequest {
  const from = readDate(filters.from);
  const to = readDate(filters.to);
  return {
    limit: LEADS_PAGE_SIZE,
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

/** Whether the list has an order other than newest first. */
export const isSorted = ({ more }: LeadFilters): boolean => new URLSearchParams(more).has("sort");

/** Returns the request for leads created since the newest known one, `at`; without it, the smallest request that returns the total. */
export function arrivalsOf(filters: LeadFilters, at: string | null): LeadsRequest {
  const { sort: _sort, ...request }: LeadsRequest & { sort?: unknown } = requestOf(filters, 1);
  if (at === null) return { ...request, limit: 1 };
  const { created_start: first } = request;
  const isLater = at !== "" && (first === undefined || Date.parse(at) > Date.parse(first));
  return { ...request, fields: "id", ...(isLater && { created_start: at }) };
}

/** Returns the filters as query parameters, without the page. */
export function narrowingOf(filters: LeadFilters): Omit<LeadsRequest, "limit" | "offset"> {
  const { limit: _limit, offset: _offset, ...narrowing } = requestOf(filters, 1);
  return narrowing;
}

/** The filters as a query without the page, for actions on all matches. */
export const queryOf = (filters: LeadFilters): string =>
  new URLSearchParams(
    Object.entries(narrowingOf(filters)).flatMap(([name, value]) => [value].flat().map((text) => [name, text])),
  ).toString();

/** Whether all dates are empty or whole days, and in order. */
export const areDatesReadable = (filters: LeadFilters): boolean =>
  [filters.from, filters.to].every((text) => text.trim() === "" || readDate(text) !== null) && !isReversed(filters);

/** Whether the last day is before the first. */
export function isReversed({ from, to }: Pick<LeadFilters, "from" | "to">): boolean {
  const [first, last] = [readDate(from), readDate(to)];
  return first !== null && last !== null && startOfDay(last) < startOfDay(first);
}

export function withoutFields(filters: LeadFilters, fields: readonly FilterField[]): LeadFilters {
  const cleared = Object.fromEntries(fields.map((field) => [field, ""]));
  return { ...filters, ...cleared };
}
