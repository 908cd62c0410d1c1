import { assign, or, setup, stateIn } from "xstate";
import type { Lead } from "../../../domain/lead.ts";
import { LEADS_PAGE_SIZE } from "../../../domain/limits.ts";
import { failureOf } from "../../../domain/problem.ts";
import { unreported } from "../kit/reporting.ts";
import type { NotesDraft } from "../../services/leads.ts";
import type { Page } from "../kit/page.ts";
import { type LeadRowParts, createLeadRow } from "../lead-row/lead-row.machine.ts";
import type { StepsByStage } from "../lead-row/lead-row.steps.ts";
import {
  type Board,
  type Changes,
  type DraftedPage,
  type News,
  type Newest,
  placeholderActors,
} from "./leads.actors.ts";
import { type ListPlace, isSamePlace } from "./leads.address.ts";
import {
  type FilterField,
  type LeadFilters,
  NO_FILTERS,
  areDatesReadable,
  isSorted,
  withoutFields,
} from "./leads.filters.ts";
import { slotsFor } from "./leads.slots.ts";

export type LeadsContext = {
  /** The head of the table as typed. */
  draft: LeadFilters;
  /** What the list was last asked for. */
  applied: LeadFilters;
  areDatesRefused: boolean;
  page: number;
  leads: Lead[];
  /** Their notes that have not reached the server. */
  drafts: Readonly<Record<string, NotesDraft>>;
  /** The place of each lead on the screen. */
  slots: number[];
  total: number;
  /** The page that was read held as many leads as a page can. */
  isFull: boolean;
  board: Board | null;
  /** What the rows stand for; null before the first answer. */
  shown: ListPlace | null;
  /** How often the list was asked for: news that were read before come too late. */
  readings: number;
  /** Leads of this page that somebody has touched: each has its own chart, a child named by `rowId`. */
  touched: string[];
  changed: Changes;
  asked: Changes;
  /** The server's own words about a list that cannot be asked for; null for any other failure. */
  refusal: string | null;
  /** Matching leads that came since the first page was read; they wait for the person. */
  arrived: number;
  /** What tells them apart; null where the first page was never read, and in another order. */
  newest: Newest | null;
};

export const appliedPlace = ({ context }: { context: LeadsContext }): ListPlace => ({
  filters: context.applied,
  page: context.page,
});

export const NOTHING: Changes = { ids: [], isAny: false };
const NO_STEPS: StepsByStage = {};
const stepsOf = (board: Board | null) => board?.steps ?? NO_STEPS;

/** The name of a touched row's actor among the list's children. */
export const rowId = (leadId: string): string => `row.${leadId}`;

const base = setup({
  types: {
    /** `typed`: filters that were typed before and not applied. */
    input: {} as ListPlace & { typed?: Partial<LeadFilters> | null },
    context: {} as LeadsContext,
    events: {} as
      | { type: "filter.change"; change: Partial<LeadFilters> }
      | { type: "filter.clear"; fields: readonly FilterField[] }
      | { type: "more.change"; more: string }
      | { type: "filters.apply" }
      | { type: "filters.clear" }
      | { type: "list.refresh" }
      | { type: "list.reload" }
      | { type: "reading.retry" }
      | { type: "page.next" }
      | { type: "page.previous" }
      | { type: "arrivals.show" }
      | { type: "address.changed"; place: ListPlace }
      | { type: "row.touch"; leadId: string }
      | { type: "lead.changed"; id: string | null },
    tags: {} as "loading" | "unread" | "outdated",
  },
  actors: { ...placeholderActors, leadRow: createLeadRow({} as Page, {} as LeadRowParts) },
});

/** Rows that left the page save what is being typed in them, and go. */
const saveStrays = base.enqueueActions(({ context, enqueue }) => {
  const here = new Set(context.leads.map(({ id }) => id));
  for (const id of context.touched.filter((touched) => !here.has(touched))) {
    enqueue.sendTo(rowId(id), { type: "notes.leave" });
    enqueue.stopChild(rowId(id));
  }
  enqueue.assign({ touched: context.touched.filter((id) => here.has(id)) });
});

/** A row gets its chart with the first touch, or with a note that did not reach the server. */
const startRows = base.enqueueActions(({ context, event, enqueue, self }) => {
  const starting = context.leads.filter(
    ({ id }) =>
      !context.touched.includes(id) &&
      (context.drafts[id] !== undefined || (event.type === "row.touch" && event.leadId === id)),
  );
  for (const lead of starting) {
    const input = { lead, steps: stepsOf(context.board), draft: context.drafts[lead.id] ?? null, list: self };
    enqueue.spawnChild("leadRow", { id: rowId(lead.id), input });
  }
  enqueue.assign({ touched: [...context.touched, ...starting.map(({ id }) => id)] });
});

/** Touched rows hear of the newest reading of their leads. */
const refreshRows = base.enqueueActions(({ context, enqueue }) => {
  const steps = stepsOf(context.board);
  for (const lead of context.leads.filter(({ id }) => context.touched.includes(id)))
    enqueue.sendTo(rowId(lead.id), { type: "lead.refreshed", lead, steps });
});

/**
 * What is known of newcomers after a page was read. The first page in the list's own order shows all of them; on another page
 * of the same list they are still to be shown.
 */
function arrivalsAfter(
  { shown: before, arrived, newest }: LeadsContext,
  { filters, page }: ListPlace,
  leads: readonly Lead[],
): Pick<LeadsContext, "arrived" | "newest"> {
  if (page === 1 && !isSorted(filters)) {
    const at = leads[0]?.created_at ?? "";
    return { arrived: 0, newest: { at, ids: leads.filter((lead) => lead.created_at === at).map(({ id }) => id) } };
  }
  const isSameList = before !== null && isSamePlace({ filters, page: 1 }, { filters: before.filters, page: 1 });
  return page > 1 && isSameList ? { arrived, newest } : { arrived: 0, newest: null };
}

/** Reads a later page again once its last lead is gone: reading it leads to the last page. */
const leaveEmptyPage = base.enqueueActions(({ context: { page, leads }, enqueue }) => {
  if (page > 1 && leads.length === 0) enqueue.raise({ type: "list.reload" });
});

/** What the list's chart is made of. */
export const leadsSetup = base.extend({
  actions: {
    storeDraft: assign(({ context }, params: { change: Partial<LeadFilters> }) => ({
      draft: { ...context.draft, ...params.change },
      areDatesRefused: false,
    })),
    clearDraft: assign(({ context }, params: { fields: readonly FilterField[] }) => ({
      draft: withoutFields(context.draft, params.fields),
      areDatesRefused: false,
    })),
    clearApplied: assign(({ context }, params: { fields: readonly FilterField[] }) => ({
      applied: withoutFields(context.applied, params.fields),
    })),
    storeMore: assign(({ context }, { more }: { more: string }) => ({
      draft: { ...context.draft, more },
      applied: { ...context.applied, more },
    })),
    applyDraft: assign(({ context }) => ({ applied: context.draft })),
    refuseDates: assign({ areDatesRefused: true }),
    clearFilters: assign({ draft: NO_FILTERS, applied: NO_FILTERS, areDatesRefused: false }),
    goToFirstPage: assign({ page: 1 }),
    goToNextPage: assign(({ context }) => ({ page: context.page + 1 })),
    goToPreviousPage: assign(({ context }) => ({ page: context.page - 1 })),
    goToLastPage: assign(({ context }, params: { total: number }) => ({
      page: Math.min(context.page - 1, Math.max(1, Math.ceil(params.total / LEADS_PAGE_SIZE))),
    })),
    goToPlace: assign((_, { place }: { place: ListPlace }) => ({
      draft: place.filters,
      applied: place.filters,
      page: place.page,
      areDatesRefused: false,
    })),
    writeAddress: (_args, _params: ListPlace) => {},
    correctAddress: (_args, _params: ListPlace) => {},
    storeBoard: assign((_, params: { board: Board }) => ({ board: params.board })),
    countReading: assign(({ context }) => ({ readings: context.readings + 1 })),
    storePage: assign(({ context }, { leads, total, drafts }: DraftedPage) => {
      const shown = { filters: context.applied, page: context.page };
      return {
        leads,
        total,
        drafts,
        isFull: leads.length >= LEADS_PAGE_SIZE,
        slots: slotsFor(leads, context),
        shown,
        ...arrivalsAfter(context, shown, leads),
      };
    }),
    saveStrays,
    startRows,
    refreshRows,
    leaveEmptyPage,
    storeRefusal: assign((_, { error }: { error: unknown }) => {
      const { status, message } = failureOf(error);
      return { refusal: status === 422 ? message : null };
    }),
    noteChange: assign(({ context: { changed } }, { id }: { id: string | null }) => ({
      changed: {
        ids: id === null || changed.ids.includes(id) ? changed.ids : [...changed.ids, id],
        isAny: changed.isAny || id === null,
      },
    })),
    askForChanges: assign(({ context }) => ({ asked: context.changed, changed: NOTHING })),
    askAgain: assign(({ context: { asked, changed } }) => ({
      asked: NOTHING,
      changed: {
        ids: [...new Set([...asked.ids, ...changed.ids])],
        isAny: asked.isAny || changed.isAny,
      },
    })),
    storeNews: assign(({ context }, news: News) => {
      const fresh = new Map(news.leads.map((lead) => [lead.id, lead]));
      const staying = context.leads.filter(({ id }) => !news.gone.includes(id));
      const room = Math.max(0, LEADS_PAGE_SIZE - staying.length);
      const leads = [...staying.map((lead) => fresh.get(lead.id) ?? lead), ...news.following.slice(0, room)];
      return {
        leads,
        slots: slotsFor(leads, context),
        board: news.board ?? context.board,
        total: news.total ?? context.total,
        arrived: news.arrived ?? context.arrived,
      };
    }),
    reportFailure: unreported,
  },
  guards: {
    hasBoard: ({ context }) => context.board !== null,
    hasReadableDates: ({ context }) => areDatesReadable(context.draft),
    isApplied: ({ context }, params: { fields: readonly FilterField[] }) =>
      params.fields.some((field) => context.applied[field] !== ""),
    isPastFirstPage: ({ context }) => context.page > 1,
    isPastLastPage: ({ context }, { leads }: DraftedPage) => context.page > 1 && leads.length === 0,
    hasNextPage: ({ context }) => context.isFull && context.page * LEADS_PAGE_SIZE < context.total,
    hasArrivals: ({ context }) => context.arrived > 0,
    isElsewhere: ({ context }, { place }: { place: ListPlace }) =>
      !isSamePlace(place, { filters: context.applied, page: context.page }),
    // The rows on the screen are what was asked for: a failed refresh leaves them true, if old.
    isStillShown: ({ context: { shown, applied, page } }) =>
      shown !== null && isSamePlace(shown, { filters: applied, page }),
    isUntouched: ({ context }, { leadId }: { leadId: string }) =>
      !context.touched.includes(leadId) && context.leads.some(({ id }) => id === leadId),
    hasChanges: ({ context: { changed } }) => changed.isAny || changed.ids.length > 0,
    /** The rows are there, and no answer is on its way that may be older than the news. */
    isSettled: or([stateIn({ list: { table: "shown" } }), stateIn({ list: { table: "outdated" } })]),
    isOfThisReading: ({ context }, { reading }: News) => reading === context.readings,
  },
  delays: { newsPause: 1_000, newsRetry: 10_000 },
});
