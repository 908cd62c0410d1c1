import {
  type ActorRefFrom,
  type EventObject,
  type SnapshotFrom,
  assign,
  fromCallback,
  fromPromise,
  or,
  setup,
  stateIn,
} from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { Lead, LeadsPage } from "../../../domain/lead.ts";
import { LEADS_PAGE_SIZE } from "../../../domain/limits.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { Stage } from "../../../domain/stage.ts";
import { unsubscribeAll } from "../../services/unsubscribe-all.ts";
import type { ScreenAddress } from "../../services/address.ts";
import { createFollowupSends } from "../../services/followup-sends.ts";
import { type NotesDraft, type NotesDrafts, createNotesDrafts } from "../../services/leads.ts";
import { createStagesList } from "../../services/stages.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { type LeadRowParts, type LeadRowRef, createLeadRow } from "../lead-row/lead-row.machine.ts";
import type { StepsByStage } from "../lead-row/lead-row.steps.ts";
import { type ListPlace, isSamePlace, placeOf, searchOf } from "./leads.address.ts";
import {
  type FilterField,
  type LeadFilters,
  type LeadsRequest,
  NO_FILTERS,
  areDatesReadable,
  arrivalsOf,
  isSorted,
  requestOf,
  withoutFields,
} from "./leads.filters.ts";
import { filterCount, readListOptions } from "./leads.options.ts";
import { slotsFor } from "./leads.slots.ts";
import {
  type Board,
  type LeadsReads,
  type Newest,
  type News,
  type NewsRequest,
  readBoard,
  readNews,
} from "./leads.news.ts";

export type LeadsParts = {
  /** The page's shared gateway: a read of leads must not revert a write. */
  leads: LeadRowParts["leads"] & Pick<LeadsReads, "list" | "read">;
  address: ScreenAddress;
  listStages?: LeadsReads["listStages"];
  listFollowups?: LeadsReads["listFollowups"];
  drafts?: NotesDrafts;
};

/** The unsaved notes of leads that a response lists. */
type Drafted = { drafts: Readonly<Record<string, NotesDraft>> };
type DraftedPage = LeadsPage & Drafted;
type BoardPage = { board: Board; page: DraftedPage };

/** Which leads changed: those of `ids`, or any if the event did not say. */
type Changes = { ids: readonly string[]; isAny: boolean };

type LeadsContext = {
  /** The filters as typed. */
  draft: LeadFilters;
  applied: LeadFilters;
  areDatesRefused: boolean;
  page: number;
  leads: Lead[];
  /** The leads' unsaved notes. */
  drafts: Readonly<Record<string, NotesDraft>>;
  /** The slot of each lead on the screen. */
  slots: number[];
  total: number;
  /** Whether the page was full when it was read. */
  isFull: boolean;
  board: Board | null;
  /** The place that the rows show; null before the first response. */
  shown: ListPlace | null;
  /** How often the list was requested: updates of an earlier request are outdated. */
  loadCount: number;
  /** Leads of this page that the user has touched: each has its own chart, a child named by `rowId`. */
  touched: string[];
  changed: Changes;
  requested: Changes;
  /** The server's message about invalid filters; null for any other failure. */
  refusal: UiTextOrString | null;
  /** Matching leads that arrived since the first page was read; shown on request. */
  arrived: number;
  /** The newest known leads; null under another order, before the first page was read, and if all its leads have the same time. */
  newest: Newest | null;
};

const appliedPlace = ({ context }: { context: LeadsContext }): ListPlace => ({
  filters: context.applied,
  page: context.page,
});

const NOTHING: Changes = { ids: [], isAny: false };
const NO_STEPS: StepsByStage = {};
const stepsKnown = (board: Board | null) => board?.steps ?? NO_STEPS;

/** The id of a touched row's actor among the list's children. */
export const rowId = (leadId: string): string => `row.${leadId}`;

/** Returns the arrivals after a read. The first page in the default order shows all of them; on other pages they are still pending. */
function arrivalsAfter(
  { shown: before, arrived, newest }: LeadsContext,
  { filters, page }: ListPlace,
  leads: readonly Lead[],
): Pick<LeadsContext, "arrived" | "newest"> {
  if (page === 1 && !isSorted(filters)) {
    const at = leads[0]?.created_at ?? "";
    const ids = leads.filter((lead) => lead.created_at === at).map(({ id }) => id);
    // If the whole page has the same time, later pages may have it too, and their leads are not arrivals.
    return { arrived: 0, newest: ids.length < LEADS_PAGE_SIZE ? { at, ids } : null };
  }
  const isSameList = before !== null && isSamePlace({ filters, page: 1 }, { filters: before.filters, page: 1 });
  return page > 1 && isSameList ? { arrived, newest } : { arrived: 0, newest: null };
}

/** A failed refresh keeps the rows if they match the request. */
const loadFailed = <const What extends string>(what: What) => {
  const actions = [withEvent("storeRefusal"), reportFailure(what)] as const;
  return [
    { guard: "isStillShown", target: "outdated", actions },
    { target: "#leads.list.loadFailed", actions },
  ] as const;
};

const idOf = (data: unknown): string | null => {
  const id = typeof data === "object" && data !== null && "id" in data ? data.id : null;
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
};

/** Returns the request for an update of the changed leads. */
function newsOf({ requested, leads, shown, applied, page, loadCount, newest, total }: LeadsContext): NewsRequest {
  const rows = leads.map(({ id }) => id);
  const place = shown ?? { filters: applied, page };
  return {
    ids: requested.ids.filter((id) => rows.includes(id)),
    isAny: requested.isAny,
    hasStrangers: requested.ids.some((id) => !rows.includes(id)),
    rows,
    page: requestOf(place.filters, place.page),
    nextPage: requestOf(place.filters, place.page + 1),
    arrivals: arrivalsOf(place.filters, newest?.at ?? null),
    newest,
    total,
    load: loadCount,
  };
}

/**
 * The leads list: typed filters, applied filters, a page, and the server's response. A reload aborts the running request, so only the
 * newest response is shown. It also refreshes leads that changed elsewhere and runs one chart for each edited row.
 */
export const createLeads = (
  page: Page,
  {
    leads,
    address,
    listStages = createStagesList(page.http),
    listFollowups = createFollowupSends(page.http).list,
    drafts = createNotesDrafts(page.drafts),
  }: LeadsParts,
) => {
  const reads: LeadsReads = { ...leads, listStages, listFollowups };
  const draftsOf = (listed: readonly Lead[]): Drafted["drafts"] =>
    Object.fromEntries(
      listed.flatMap(({ id, notes }) => {
        const draft = drafts.read(id);
        return draft === null || draft.notes === (notes ?? "") ? [] : [[id, draft]];
      }),
    );
  const withDrafts = (answer: LeadsPage): DraftedPage => ({ ...answer, drafts: draftsOf(answer.leads) });

  const base = setup({
    types: {
      /** `typed`: filters that were typed earlier and not applied. */
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
      tags: {} as "loading" | "loadFailed" | "outdated",
    },
    actors: {
      fetchBoard: fromPromise<BoardPage, LeadsRequest>(async ({ input, signal }) => {
        const [answer, board] = await Promise.all([reads.list(input, signal), readBoard(reads, signal)]);
        return { page: withDrafts(answer), board };
      }),
      fetchPage: fromPromise<DraftedPage, LeadsRequest>(async ({ input, signal }) =>
        withDrafts(await reads.list(input, signal)),
      ),
      readNews: fromPromise<News & Drafted, NewsRequest>(async ({ input, signal }) => {
        const news = await readNews(reads, input, signal);
        return { ...news, drafts: draftsOf(news.following) };
      }),
      watchLeads: fromCallback<EventObject>(({ sendBack }) =>
        unsubscribeAll(
          // An event about many leads has no ids.
          (["lead.changed", "leads.changed"] as const).map((type) =>
            page.events.subscribe(type, (data) => sendBack({ type: "lead.changed", id: idOf(data) })),
          ),
        ),
      ),
      watchAddress: fromCallback<EventObject>(({ sendBack }) =>
        address.subscribe(() => sendBack({ type: "address.changed", place: placeOf(address.read()) })),
      ),
      leadRow: createLeadRow(page, { leads, drafts }),
    },
  });

  /** Saves what the user is typing in rows that leave the page, and stops them. */
  const saveRowsLeavingPage = base.enqueueActions(({ context, enqueue }) => {
    const here = new Set(context.leads.map(({ id }) => id));
    for (const id of context.touched.filter((touched) => !here.has(touched))) {
      enqueue.sendTo(rowId(id), { type: "notes.leave" });
      enqueue.stopChild(rowId(id));
    }
    enqueue.assign({ touched: context.touched.filter((id) => here.has(id)) });
  });

  /** Starts a row's chart on the first touch, or for an unsaved note. */
  const startRows = base.enqueueActions(({ context, event, enqueue, self }) => {
    const starting = context.leads.filter(
      ({ id }) =>
        !context.touched.includes(id) &&
        (context.drafts[id] !== undefined || (event.type === "row.touch" && event.leadId === id)),
    );
    for (const lead of starting) {
      const input = { lead, steps: stepsKnown(context.board), draft: context.drafts[lead.id] ?? null, list: self };
      enqueue.spawnChild("leadRow", { id: rowId(lead.id), input });
    }
    enqueue.assign({ touched: [...context.touched, ...starting.map(({ id }) => id)] });
  });

  /** Passes the newest version of their leads to touched rows. */
  const refreshRows = base.enqueueActions(({ context, enqueue }) => {
    const steps = stepsKnown(context.board);
    for (const lead of context.leads.filter(({ id }) => context.touched.includes(id)))
      enqueue.sendTo(rowId(lead.id), { type: "lead.refreshed", lead, steps });
  });

  /** Reloads a later page when its last lead is gone, which leads to the new last page. */
  const leaveEmptyPage = base.enqueueActions(({ context: { page, leads }, enqueue }) => {
    if (page > 1 && leads.length === 0) enqueue.raise({ type: "list.reload" });
  });

  return base
    .extend({
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
        writeAddress: (_args, place: ListPlace) => address.write(searchOf(place)),
        correctAddress: (_args, place: ListPlace) => address.correct(searchOf(place)),
        storeBoard: assign((_, params: { board: Board }) => ({ board: params.board })),
        countLoad: assign(({ context }) => ({ loadCount: context.loadCount + 1 })),
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
        saveRowsLeavingPage,
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
        requestChanges: assign(({ context }) => ({ requested: context.changed, changed: NOTHING })),
        requestAgain: assign(({ context: { requested, changed } }) => ({
          requested: NOTHING,
          changed: {
            ids: [...new Set([...requested.ids, ...changed.ids])],
            isAny: requested.isAny || changed.isAny,
          },
        })),
        storeNews: assign(({ context }, news: News & Drafted) => {
          const fresh = new Map(news.leads.map((lead) => [lead.id, lead]));
          const staying = context.leads.filter(({ id }) => !news.gone.includes(id));
          const room = Math.max(0, LEADS_PAGE_SIZE - staying.length);
          const leads = [...staying.map((lead) => fresh.get(lead.id) ?? lead), ...news.following.slice(0, room)];
          return {
            leads,
            drafts: news.drafts,
            slots: slotsFor(leads, context),
            board: news.board ?? context.board,
            total: news.total ?? context.total,
            arrived: news.arrived ?? context.arrived,
          };
        }),
        reportFailure: createReporter(page.logger),
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
        // If the rows match the request, a failed refresh keeps them, though stale.
        isStillShown: ({ context: { shown, applied, page } }) =>
          shown !== null && isSamePlace(shown, { filters: applied, page }),
        isUntouched: ({ context }, { leadId }: { leadId: string }) =>
          !context.touched.includes(leadId) && context.leads.some(({ id }) => id === leadId),
        hasChanges: ({ context: { changed } }) => changed.isAny || changed.ids.length > 0,
        /** The rows are shown, and no response on its way may be older than the update. */
        isSettled: or([stateIn({ list: { table: "shown" } }), stateIn({ list: { table: "outdated" } })]),
        /** The page is back, for example, and its data may be outdated. */
        isAnyLead: (_, { id }: { id: string | null }) => id === null,
        isOfThisLoad: ({ context }, { load }: News) => load === context.loadCount,
      },
      delays: { newsPause: 1_000, newsRetry: 10_000 },
    })
    .createMachine({
      id: "leads",
      context: ({ input }) => ({
        draft: { ...input.filters, ...input.typed },
        applied: input.filters,
        areDatesRefused: false,
        page: input.page,
        leads: [],
        drafts: {},
        slots: [],
        total: 0,
        isFull: false,
        board: null,
        shown: null,
        refusal: null,
        loadCount: 0,
        touched: [],
        changed: NOTHING,
        requested: NOTHING,
        arrived: 0,
        newest: null,
      }),
      type: "parallel",
      states: {
        list: {
          initial: "table",
          invoke: {
            id: "watchAddress",
            src: "watchAddress",
            onError: { actions: reportFailure("the address is not watched") },
          },
          on: {
            "filters.apply": [
              { guard: "hasReadableDates", target: ".table.reloading", actions: ["applyDraft", "goToFirstPage"] },
              { actions: "refuseDates" },
            ],
            "more.change": { target: ".table.reloading", actions: [withEvent("storeMore"), "goToFirstPage"] },
            "filters.clear": { target: ".table.reloading", actions: ["clearFilters", "goToFirstPage"] },
            "list.refresh": ".table.loadingBoard",
            "list.reload": ".table.reloading",
            "address.changed": {
              guard: withEvent("isElsewhere"),
              target: ".table.reloading",
              actions: withEvent("goToPlace"),
            },
          },
          states: {
            table: {
              initial: "loadingBoard",
              on: {
                "filter.change": [
                  {
                    guard: "isPastFirstPage",
                    target: ".reloading",
                    actions: [withEvent("storeDraft"), "goToFirstPage"],
                  },
                  { actions: withEvent("storeDraft") },
                ],
                "filter.clear": [
                  {
                    guard: withEvent("isApplied"),
                    target: ".reloading",
                    actions: [withEvent("clearDraft"), withEvent("clearApplied"), "goToFirstPage"],
                  },
                  {
                    guard: "isPastFirstPage",
                    target: ".reloading",
                    actions: [withEvent("clearDraft"), "goToFirstPage"],
                  },
                  { actions: withEvent("clearDraft") },
                ],
                "page.next": { guard: "hasNextPage", target: ".reloading", actions: "goToNextPage" },
                "page.previous": { guard: "isPastFirstPage", target: ".reloading", actions: "goToPreviousPage" },
                "arrivals.show": { guard: "hasArrivals", target: ".reloading", actions: "goToFirstPage" },
                "row.touch": { guard: withEvent("isUntouched"), actions: "startRows" },
              },
              states: {
                reloading: {
                  entry: { type: "writeAddress", params: appliedPlace },
                  always: [{ guard: "hasBoard", target: "loadingPage" }, { target: "loadingBoard" }],
                },
                loadingBoard: {
                  tags: "loading",
                  entry: "countLoad",
                  invoke: {
                    id: "fetchBoard",
                    src: "fetchBoard",
                    input: ({ context }) => requestOf(context.applied, context.page),
                    onDone: [
                      {
                        guard: { type: "isPastLastPage", params: ({ event }) => event.output.page },
                        target: "reloading",
                        actions: [
                          withOutput("storeBoard"),
                          { type: "goToLastPage", params: ({ event }) => event.output.page },
                          { type: "correctAddress", params: appliedPlace },
                        ],
                      },
                      {
                        target: "shown",
                        actions: [
                          withOutput("storeBoard"),
                          { type: "storePage", params: ({ event }) => event.output.page },
                          "saveRowsLeavingPage",
                          "startRows",
                          "refreshRows",
                        ],
                      },
                    ],
                    onError: loadFailed("leads, stages or follow-ups were not read"),
                  },
                },
                loadingPage: {
                  tags: "loading",
                  entry: "countLoad",
                  invoke: {
                    id: "fetchPage",
                    src: "fetchPage",
                    input: ({ context }) => requestOf(context.applied, context.page),
                    onDone: [
                      {
                        guard: withOutput("isPastLastPage"),
                        target: "reloading",
                        actions: [withOutput("goToLastPage"), { type: "correctAddress", params: appliedPlace }],
                      },
                      {
                        target: "shown",
                        actions: [withOutput("storePage"), "saveRowsLeavingPage", "startRows", "refreshRows"],
                      },
                    ],
                    onError: loadFailed("leads were not read"),
                  },
                },
                shown: {},
                outdated: {
                  tags: "outdated",
                  on: {
                    "reading.retry": "loadingBoard",
                    "lead.changed": { guard: withEvent("isAnyLead"), target: "loadingBoard" },
                  },
                },
              },
            },
            loadFailed: {
              tags: "loadFailed",
              on: {
                "reading.retry": "table.loadingBoard",
                "lead.changed": { guard: withEvent("isAnyLead"), target: "table.loadingBoard" },
              },
            },
          },
        },
        news: {
          invoke: {
            id: "watchLeads",
            src: "watchLeads",
            onError: { actions: reportFailure("changes of leads are not watched") },
          },
          on: { "lead.changed": { actions: withEvent("noteChange") } },
          initial: "quiet",
          states: {
            quiet: { always: { guard: "hasChanges", target: "gathering" } },
            // A bulk send changes many leads a second, so updates are throttled.
            gathering: {
              after: {
                newsPause: [
                  { guard: "isSettled", target: "reading", actions: "requestChanges" },
                  // The list's own response may be older than the event, so the update follows it.
                  { target: "gathering", reenter: true },
                ],
              },
            },
            reading: {
              invoke: {
                id: "readNews",
                src: "readNews",
                input: ({ context }) => newsOf(context),
                onDone: [
                  {
                    guard: withOutput("isOfThisLoad"),
                    target: "quiet",
                    actions: [
                      withOutput("storeNews"),
                      "saveRowsLeavingPage",
                      "startRows",
                      "refreshRows",
                      "leaveEmptyPage",
                    ],
                  },
                  { target: "quiet", actions: "requestAgain" },
                ],
                onError: {
                  target: "failed",
                  actions: ["requestAgain", reportFailure("changes of leads were not read")],
                },
              },
            },
            failed: {
              on: { "lead.changed": { target: "gathering", actions: withEvent("noteChange") } },
              after: { newsRetry: "gathering" },
            },
          },
        },
      },
    });
};

export const Leads = createChart<typeof createLeads>("leads");
export type LeadsSnapshot = SnapshotFrom<typeof createLeads>;

/** The actors of touched rows, by `rowId`. */
export const selectRows = (list: LeadsSnapshot) => list.children as Readonly<Record<string, LeadRowRef | undefined>>;

/** Returns a row's chart, and starts it on the first touch. */
export function touchRow(list: ActorRefFrom<typeof createLeads>, leadId: string): LeadRowRef {
  list.send({ type: "row.touch", leadId });
  const row = selectRows(list.getSnapshot())[rowId(leadId)];
  if (!row) throw new Error(`lead ${leadId} is not in the list`);
  return row;
}

const NO_STAGES: Stage[] = [];
export const selectStages = (list: LeadsSnapshot): Stage[] => list.context.board?.stages ?? NO_STAGES;
export const selectSteps = (list: LeadsSnapshot): StepsByStage => stepsKnown(list.context.board);

/** Whether the stage filter names a deleted stage. */
export const selectIsStageGone = ({ context: { board, applied } }: LeadsSnapshot) =>
  board !== null && applied.stageId !== "" && !board.stages.some(({ id }) => id === applied.stageId);

/** How many filters are active; a date range counts as one. */
export const selectFilterCount = ({ context: { applied } }: LeadsSnapshot) => {
  const { from, to, more, ...others } = applied;
  const { q, ...further } = readListOptions(more);
  return [from || to, q, ...Object.values(others)].filter(Boolean).length + filterCount(further);
};

/** How many pages there are, at least up to the one shown. */
export const selectPageCount = ({ context: { total, shown } }: LeadsSnapshot) =>
  Math.max(shown?.page ?? 1, Math.ceil(total / LEADS_PAGE_SIZE));
