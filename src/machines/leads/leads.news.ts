import type { Lead, LeadsPage } from "../../../domain/lead.ts";
import type { Stage } from "../../../domain/stage.ts";
import { type Step, type StepsByStage, stepsOf } from "../lead-row/lead-row.steps.ts";
import type { LeadsRequest } from "./leads.filters.ts";

/** What the list must know besides leads: the stages in their order, and what the follow-ups of each say. */
export type Board = { stages: Stage[]; steps: StepsByStage };

export type LeadsReads = {
  list(request: LeadsRequest, signal: AbortSignal): Promise<LeadsPage>;
  /** One lead; null where the lead or the call is unknown. */
  read(input: { leadId: string }, signal: AbortSignal): Promise<Lead | null>;
  listStages(signal: AbortSignal): Promise<Stage[]>;
  listFollowups(signal: AbortSignal): Promise<readonly Step[]>;
};

/** When the newest lead of the first page was created, and every lead of that page that is as new. */
export type Newest = { at: string; ids: readonly string[] };
export type NewsRequest = {
  ids: readonly string[];
  isAny: boolean;
  /** Some of the changed leads are not on the page: they may be new. */
  hasStrangers: boolean;
  /** Every row, by its lead. */
  rows: readonly string[];
  page: LeadsRequest;
  nextPage: LeadsRequest;
  /** Leads as new as `newest`; where that is not known, the least that tells how many match. */
  arrivals: LeadsRequest;
  newest: Newest | null;
  /** How many matched when the list was read. */
  total: number;
  /** Which reading of the list the news are about. */
  reading: number;
};
export type News = {
  leads: Lead[];
  /** Rows whose leads no longer exist. */
  gone: readonly string[];
  /** Leads that moved up from the next page, to fill the room of those that are gone. */
  following: Lead[];
  /** How many match without those that arrived; null where that was not read. */
  total: number | null;
  /** How many came since the first page was read; null where nothing can have come. */
  arrived: number | null;
  board: Board | null;
  reading: number;
};

/** From so many changed leads on, the page is read instead of each of them. */
const FEW = 4;

/**
 * Reads what changed. A few leads are read one by one, many or unknown ones by the page's own query. Where anything may have
 * changed, as when the page comes back, the stages and their follow-ups are read as well.
 */
export async function readNews(leads: LeadsReads, request: NewsRequest, signal: AbortSignal): Promise<News> {
  const { ids, isAny, hasStrangers, reading } = request;
  const isFew = !isAny && ids.length <= FEW;
  const found = isFew ? await Promise.all(ids.map((leadId) => leads.read({ leadId }, signal))) : [null];
  const unknown = new Set(isFew ? ids.filter((_, index) => found[index] === null) : []);
  if (isFew && unknown.size === 0) {
    const arrived = hasStrangers ? await countArrivals(leads, request, signal) : null;
    const known = found.filter((lead) => lead !== null);
    return { leads: known, gone: [], following: [], total: null, arrived, board: null, reading };
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
    reading,
  };
}

/** Reads the rows that a newer reading of their page lacks: those on the next page, and each of the others by itself. */
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

/** Counts the leads that came since the first page was read; `page` is a newer reading of the page that is shown. */
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
  // Where more came than one page holds, those who were known stand on a later one.
  const isCut = answer.total > answer.leads.length;
  const known = isCut ? newest.ids.length : answer.leads.filter(({ id }) => newest.ids.includes(id)).length;
  return answer.total - known;
}

const idsOf = (leads: readonly Lead[]): ReadonlySet<string> => new Set(leads.map(({ id }) => id));

const isNewer = ({ id, created_at }: Lead, { at, ids }: Newest): boolean =>
  Date.parse(created_at ?? "") >= Date.parse(at) && !ids.includes(id);

/** Where the last row stands in a newer reading of its page; -1 where none of the rows is on it. */
const lastKnown = (page: readonly Lead[], rows: readonly string[]): number =>
  page.findLastIndex(({ id }) => rows.includes(id));

export async function readBoard(leads: LeadsReads, signal: AbortSignal): Promise<Board> {
  const [stages, followups] = await Promise.all([leads.listStages(signal), leads.listFollowups(signal)]);
  return { stages, steps: stepsOf(followups) };
}
