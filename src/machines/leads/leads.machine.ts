import type { SnapshotFrom } from "xstate";
import { withEvent, withOutput } from "../kit/payload.ts";
import { reportFailure } from "../kit/reporting.ts";
import type { LeadRowRef } from "../lead-row/lead-row.machine.ts";
import type { NewsRequest } from "./leads.actors.ts";
import { arrivalsOf, requestOf } from "./leads.filters.ts";
import { type LeadsContext, NOTHING, appliedPlace, leadsSetup, rowId } from "./leads.setup.ts";

/** Where the rows on the screen are what was asked for, a reading that failed leaves them there. */
const unread = <const What extends string>(what: What) => {
  const actions = [withEvent("storeRefusal"), reportFailure(what)] as const;
  return [
    { guard: "isStillShown", target: "outdated", actions },
    { target: "#leads.list.unread", actions },
  ] as const;
};

/**
 * The leads list: typed filters, applied filters, a page, and what the server answered. Every reload leaves the running
 * one, which aborts it: only the newest request can reach the screen. Beside it stand the news of leads that changed, and
 * the rows that somebody has touched.
 */
export const leadsMachine = leadsSetup.createMachine({
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
    readings: 0,
    touched: [],
    changed: NOTHING,
    asked: NOTHING,
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
              { guard: "isPastFirstPage", target: ".reloading", actions: [withEvent("storeDraft"), "goToFirstPage"] },
              { actions: withEvent("storeDraft") },
            ],
            "filter.clear": [
              {
                guard: withEvent("isApplied"),
                target: ".reloading",
                actions: [withEvent("clearDraft"), withEvent("clearApplied"), "goToFirstPage"],
              },
              { guard: "isPastFirstPage", target: ".reloading", actions: [withEvent("clearDraft"), "goToFirstPage"] },
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
              entry: "countReading",
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
                      "saveStrays",
                      "startRows",
                      "refreshRows",
                    ],
                  },
                ],
                onError: unread("leads, stages or follow-ups were not read"),
              },
            },
            loadingPage: {
              tags: "loading",
              entry: "countReading",
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
                  { target: "shown", actions: [withOutput("storePage"), "saveStrays", "startRows", "refreshRows"] },
                ],
                onError: unread("leads were not read"),
              },
            },
            shown: {},
            outdated: { tags: "outdated", on: { "reading.retry": "loadingBoard" } },
          },
        },
        unread: { tags: "unread", on: { "reading.retry": "table.loadingBoard" } },
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
        // A bulk send changes many leads a second: they are read once a pause.
        gathering: {
          after: {
            newsPause: [
              { guard: "isSettled", target: "reading", actions: "askForChanges" },
              // The list's own answer may be older than the news: those are read after it.
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
                guard: withOutput("isOfThisReading"),
                target: "quiet",
                actions: [withOutput("storeNews"), "saveStrays", "refreshRows", "leaveEmptyPage"],
              },
              { target: "quiet", actions: "askAgain" },
            ],
            onError: { target: "failed", actions: ["askAgain", reportFailure("changes of leads were not read")] },
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

/** What to ask about the changed leads, of the rows as they are shown. */
function newsOf({ asked, leads, shown, applied, page, readings, newest, total }: LeadsContext): NewsRequest {
  const rows = leads.map(({ id }) => id);
  const place = shown ?? { filters: applied, page };
  return {
    ids: asked.ids.filter((id) => rows.includes(id)),
    isAny: asked.isAny,
    hasStrangers: asked.ids.some((id) => !rows.includes(id)),
    rows,
    page: requestOf(place.filters, place.page),
    nextPage: requestOf(place.filters, place.page + 1),
    arrivals: arrivalsOf(place.filters, newest?.at ?? null),
    newest,
    total,
    reading: readings,
  };
}

export type LeadsSnapshot = SnapshotFrom<typeof leadsMachine>;

/** The actors of the rows that somebody has touched, by `rowId`. */
export const selectRowRefs = (list: LeadsSnapshot) => list.children as Readonly<Record<string, LeadRowRef | undefined>>;

/** The actor of a row that somebody has touched. */
export const selectRowRef = (list: LeadsSnapshot, leadId: string): LeadRowRef | undefined =>
  selectRowRefs(list)[rowId(leadId)];
