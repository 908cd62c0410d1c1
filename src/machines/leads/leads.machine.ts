import { type ActorRefFrom, type SnapshotFrom, assign, setup } from "xstate";
import type { Lead, LeadsPage } from "../../../domain/lead.ts";
import { LEADS_PAGE_SIZE } from "../../../domain/limits.ts";
import { type Board, type BoardPage, placeholderActors } from "./leads.actors.ts";
import {
  type FilterField,
  type LeadFilters,
  NO_FILTERS,
  areDatesReadable,
  requestOf,
  withoutFields,
} from "./leads.filters.ts";

type LeadsContext = {
  /** The head of the table as typed. */
  draft: LeadFilters;
  /** What the list was last asked for. */
  applied: LeadFilters;
  areDatesRefused: boolean;
  page: number;
  leads: Lead[];
  total: number;
  board: Board | null;
  /** Matching leads that came since the list was read; they wait for the person's refresh. */
  arrived: number;
};

const unreported: (_: unknown, params: { what: string; error: unknown }) => void = () => {};

/**
 * The leads list: typed filters, applied filters, a page, and what the server answered.
 * Every reload leaves the running one, which aborts it: only the newest request can reach the screen.
 */
export const leadsMachine = setup({
  types: {
    context: {} as LeadsContext,
    events: {} as
      | { type: "filter.change"; change: Partial<LeadFilters> }
      | { type: "filter.clear"; fields: readonly FilterField[] }
      | { type: "filters.apply" }
      | { type: "filters.clear" }
      | { type: "list.refresh" }
      | { type: "list.reload" }
      | { type: "page.next" }
      | { type: "page.previous" }
      | { type: "lead.changed" },
    tags: {} as "loading",
  },
  actors: placeholderActors,
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
    applyDraft: assign(({ context }) => ({ applied: context.draft })),
    refuseDates: assign({ areDatesRefused: true }),
    clearFilters: assign({ draft: NO_FILTERS, applied: NO_FILTERS, areDatesRefused: false }),
    goToFirstPage: assign({ page: 1 }),
    goToNextPage: assign(({ context }) => ({ page: context.page + 1 })),
    goToPreviousPage: assign(({ context }) => ({ page: context.page - 1 })),
    storeBoard: assign((_, params: BoardPage) => ({ board: params.board })),
    storePage: assign((_, params: LeadsPage) => ({ leads: params.leads, total: params.total, arrived: 0 })),
    storeArrived: assign(({ context }, params: { total: number }) => ({
      arrived: Math.max(0, params.total - context.total),
    })),
    reportFailure: unreported,
  },
  guards: {
    hasBoard: ({ context }) => context.board !== null,
    hasReadableDates: ({ context }) => areDatesReadable(context.draft),
    isApplied: ({ context }, params: { fields: readonly FilterField[] }) =>
      params.fields.some((field) => context.applied[field] !== ""),
    isPastFirstPage: ({ context }) => context.page > 1,
    hasNextPage: ({ context }) =>
      context.leads.length >= LEADS_PAGE_SIZE && context.page * LEADS_PAGE_SIZE < context.total,
  },
  delays: { arrivalsPause: 2_000 },
}).createMachine({
  id: "leads",
  context: {
    draft: NO_FILTERS,
    applied: NO_FILTERS,
    areDatesRefused: false,
    page: 1,
    leads: [],
    total: 0,
    board: null,
    arrived: 0,
  },
  type: "parallel",
  states: {
    list: {
      initial: "loadingBoard",
      on: {
        "filter.change": [
          {
            guard: "isPastFirstPage",
            target: ".reloading",
            actions: [{ type: "storeDraft", params: ({ event }) => event }, "goToFirstPage"],
          },
          { actions: { type: "storeDraft", params: ({ event }) => event } },
        ],
        "filter.clear": [
          {
            guard: { type: "isApplied", params: ({ event }) => event },
            target: ".reloading",
            actions: [
              { type: "clearDraft", params: ({ event }) => event },
              { type: "clearApplied", params: ({ event }) => event },
              "goToFirstPage",
            ],
          },
          {
            guard: "isPastFirstPage",
            target: ".reloading",
            actions: [{ type: "clearDraft", params: ({ event }) => event }, "goToFirstPage"],
          },
          { actions: { type: "clearDraft", params: ({ event }) => event } },
        ],
        "filters.apply": [
          { guard: "hasReadableDates", target: ".reloading", actions: ["applyDraft", "goToFirstPage"] },
          { actions: "refuseDates" },
        ],
        "filters.clear": { target: ".reloading", actions: ["clearFilters", "goToFirstPage"] },
        "list.refresh": ".loadingBoard",
        "list.reload": ".reloading",
        "page.next": { guard: "hasNextPage", target: ".reloading", actions: "goToNextPage" },
        "page.previous": { guard: "isPastFirstPage", target: ".reloading", actions: "goToPreviousPage" },
      },
      states: {
        reloading: { always: [{ guard: "hasBoard", target: "loadingPage" }, { target: "loadingBoard" }] },
        loadingBoard: {
          tags: "loading",
          invoke: {
            id: "fetchBoard",
            src: "fetchBoard",
            input: ({ context }) => requestOf(context.applied, context.page),
            onDone: {
              target: "ready",
              actions: [
                { type: "storeBoard", params: ({ event }) => event.output },
                { type: "storePage", params: ({ event }) => event.output.page },
              ],
            },
            onError: {
              target: "failed",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "leads, stages or follow-ups were not read", error: event.error }),
              },
            },
          },
        },
        loadingPage: {
          tags: "loading",
          invoke: {
            id: "fetchPage",
            src: "fetchPage",
            input: ({ context }) => requestOf(context.applied, context.page),
            onDone: { target: "ready", actions: { type: "storePage", params: ({ event }) => event.output } },
            onError: {
              target: "failed",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "leads were not read", error: event.error }),
              },
            },
          },
        },
        ready: {},
        failed: {},
      },
    },
    arrivals: {
      invoke: {
        id: "watchLeads",
        src: "watchLeads",
        onError: {
          actions: {
            type: "reportFailure",
            params: ({ event }) => ({ what: "new leads are not watched", error: event.error }),
          },
        },
      },
      initial: "quiet",
      states: {
        quiet: { on: { "lead.changed": "gathering" } },
        // A bulk send changes many leads a second: they are counted once a pause.
        gathering: { after: { arrivalsPause: "counting" } },
        counting: {
          on: { "lead.changed": "gathering" },
          invoke: {
            id: "countLeads",
            src: "countLeads",
            input: ({ context }) => requestOf(context.applied, 1, 1),
            onDone: {
              target: "quiet",
              actions: { type: "storeArrived", params: ({ event }) => ({ total: event.output }) },
            },
            onError: {
              target: "quiet",
              actions: {
                type: "reportFailure",
                params: ({ event }) => ({ what: "new leads were not counted", error: event.error }),
              },
            },
          },
        },
      },
    },
  },
});

export type LeadsRef = ActorRefFrom<typeof leadsMachine>;
export type LeadsSnapshot = SnapshotFrom<typeof leadsMachine>;
