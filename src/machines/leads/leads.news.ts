import type { Lead, LeadsPage } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import { type Step, type StepsByStage, stepsOf } from "../lead-row/lead-row.steps.ts";
import type { LeadsRequest } from "./leads.filters.ts";

/** The list's other data: the stages in order, and the messages of their follow-ups. */
export type Board = { stages: Stage[]; steps: StepsByStage };

export type LeadsReads = {
  list(request: LeadsRequest, signal: AbortSignal): Promise<LeadsPage>;
  /** One lead; null if the lead or the call is unknown. */
  read(input: { leadId: string }, signal: AbortSignal): Promise<Lead | null>;
  listStages(signal: AbortSignal): Promise<Stage[]>;
  listFollowups(signal: AbortSignal): Promise<readonly Step[]>;
};

/** When the first page's newest lead was created, and all its leads from that moment. */
export type Newest = { at: string; ids: readonly string[] };
export type NewsRequest = {
  ids: readonly string[];
  isAny: boolean;
  /** Whether some changed leads are not on the page: they may be new. */
  hasStrangers: boolean;
  /** The lead ids of all rows. */
  rows: readonly string[];
  page: LeadsRequest;
  nextPage: LeadsRequest;
  /** The request for leads as new as `newest`; without it, the smallest request that returns the total. */
  arrivals: LeadsRequest;
  newest: Newest | null;
  /** The total when the list was read. */
  total: number;
  /** The number of the read that the update belongs to. */
  load: number;
};
export type News = {
  leads: Lead[];
  /** Rows of deleted leads. */
  gone: readonly string[];
  /** Leads that move up from the next page into free slots. */
  following: Lead[];
  /** The total without arrivals; null if it was not read. */
  total: number | null;
  /** How many leads arrived since the first page was read; null if there can be none. */
  arrived: number | null;
  board: Board | null;
  load: number;
};

/** From this many changed leads on, the page is read instead of each lead. */
const FEW = 4;

/**
 * Reads changes. A few leads are read one by one, many or unknown ones with the page's own query. If anything may have changed, for example
 * after the page comes back, also reads the stages and follow-ups.
 */
export async function readNews(leads: LeadsReads, request: NewsRequest, signal: AbortSignal): Promise<News> {
  const { ids, isAny, hasStrangers, load } = request;
  const isFew = !isAny && ids.length <= FEW;
  const found = isFew ? await Promise.all(ids.map((leadId) => leads.read({ leadId }, signal))) : [null];
  const unknown = new Set(isFew ? ids.filter((_, index) => found[index] === null) : []);
  if (isFew && unknown.size === 0) {
    const arrived = hasStrangers ? await countArrivals(leads, request, signal) : null;
    const known = found.filter((lead) => lead !== null);
    return { leads: known, gone: [], following: [], total: null, arrived, board: null, load };
  }
  const [page, board] = await Promise.all([leads.list(request.page, signal), isAny ? readBoard(leads, signal) : null]);
  const { moved, gone } = await readMissing(leads, request, { page, unknown }, signal);
  const arrived =
    isAny || hasStrangers
      ? await countArrivals(leads, { ...request, total: request.total - gone.length }, signal, page)
      : 0;
  return {
    leads: [...page.leads, ...moved],
    gone,
    following: page.leads.slice(lastKnown(page.leads, request.rows) + 1),
    total: page.total - arrived,
    arrived,
    board,
    load,
  };
}

/** Reads the rows that a refreshed page lacks: from the next page, and the rest one by one. */
async function readMissing(
  leads: LeadsReads,
  { rows, nextPage }: NewsRequest,
  { page, unknown }: { page: LeadsPage; unknown: ReadonlySet<string> },
  signal: AbortSignal,
): Promise<{ moved: Lead[]; gone: string[] }> {
  const here = idsOf(page.leads);
  const missing = rows.filter((id) => !here.has(id));
  const next = missing.length > FEW ? (await leads.list(nextPage, signal)).leads : [];
  const there = idsOf(next);
  const sought = missing.filter((id) => !there.has(id));
  const read = async (leadId: string) => (unknown.has(leadId) ? null : leads.read({ leadId }, signal));
  const found = await Promise.all(sought.map(read));
  return {
    moved: [...next, ...found.filter((lead) => lead !== null)],
    gone: sought.filter((_, index) => found[index] === null),
  };
}

/** Counts the leads that arrived since the first page was read; `page` is a refresh of the page shown. */
async function countArrivals(
  leads: LeadsReads,
  { arrivals, newest, total, rows, page: { offset } }: NewsRequest,
  signal: AbortSignal,
  page: LeadsPage | null = null,
): Promise<number> {
  if (newest === null) return Math.max(0, (page ?? (await leads.list(arrivals, signal))).total - total);
  const above = page === null || offset > 0 ? [] : page.leads.slice(0, lastKnown(page.leads, rows) + 1);
  if (above.length > 0) return above.filter((lead) => isNewer(lead, newest)).length;
  const answer = await leads.list(arrivals, signal);
  // If more arrived than fit on a page, the known leads are on a later one.
  const isCut = answer.total > answer.leads.length;
  const known = isCut ? newest.ids.length : answer.leads.filter(({ id }) => newest.ids.includes(id)).length;
  return answer.total - known;
}

const idsOf = (leads: readonly Lead[]): ReadonlySet<string> => new Set(leads.map(({ id }) => id));

const isNewer = ({ id, created_at }: Lead, { at, ids }: Newest): boolean =>
  Date.parse(created_at ?? "") >= Date.parse(at) && !ids.includes(id);

/** The index of the last known row in a refreshed page; -1 if it has none of the rows. */
const lastKnown = (page: readonly Lead[], rows: readonly string[]): number =>
  page.findLastIndex(({ id }) => rows.includes(id));

export async function readBoard(leads: LeadsReads, signal: AbortSignal): Promise<Board> {
  const [stages, followups] = await Promise.all([leads.listStages(signal), leads.listFollowups(signal)]);
  return { stages, steps: stepsOf(followups) };
}
