import { type SnapshotFrom, and, assign, or, raise, setup, stateIn } from "xstate";
import type { LedgerPage } from "../../../domain/ledger.ts";
import { gatheringNews } from "../kit/news.ts";
import { withEvent } from "../kit/payload.ts";
import { type ReadingEvent, reading, readingOlder } from "../kit/reading.ts";
import { unreported } from "../kit/reporting.ts";
import { type OlderPage, PAGE, placeholderActors } from "./ledger.actors.ts";
import { type LedgerFilters, NO_FILTERS, isSame } from "./ledger.address.ts";
import { EMPTY, type LedgerList, withOlder, withReading } from "./ledger.list.ts";

type LedgerContext = LedgerList & { filters: LedgerFilters };

/**
 * Every message that was planned, and what became of it. News bring what is shown up to date, one reading after the other;
 * new lines are held back until the person asks for them. The list grows only while it is current, and no reading starts
 * while it grows, so that no page is put behind one that is being replaced.
 */
export const ledgerMachine = setup({
  types: {
    input: {} as LedgerFilters,
    context: {} as LedgerContext,
    events: {} as
      | ReadingEvent
      | { type: "filters.change"; filters: Partial<LedgerFilters> }
      | { type: "filters.clear" }
      | { type: "address.changed"; filters: LedgerFilters }
      | { type: "older.load" }
      | { type: "fresh.show" }
      | { type: "news.changed" },
    tags: {} as "loading" | "refreshing" | "unread" | "outdated",
  },
  actors: placeholderActors,
  actions: {
    storeLedger: assign(({ context }, page: LedgerPage) => withReading(context, page)),
    storeOlder: assign(({ context }, older: OlderPage) => withOlder(context, older)),
    storeFilters: assign(({ context }, { filters }: { filters: Partial<LedgerFilters> }) => ({
      ...EMPTY,
      filters: { ...context.filters, ...filters },
    })),
    showFresh: assign(({ context }) => ({ ...context.held, held: null })),
    writeAddress: (_args, _params: LedgerFilters) => {},
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
  },
  guards: {
    isOther: ({ context }, { filters }: { filters: Partial<LedgerFilters> }) =>
      !isSame({ ...context.filters, ...filters }, context.filters),
    isFiltered: ({ context }) => !isSame(context.filters, NO_FILTERS),
    hasFresh: ({ context }) => context.held !== null,
    canGrow: and([({ context }) => context.next !== null, stateIn({ list: { shown: "current" } })]),
    isReading: or([
      stateIn({ list: "loading" }),
      stateIn({ list: { shown: "refreshing" } }),
      stateIn({ older: "loading" }),
    ]),
  },
  delays: { newsPause: 2_000 },
}).createMachine({
  id: "ledger",
  context: ({ input }) => ({ ...EMPTY, filters: input }),
  type: "parallel",
  invoke: [
    { id: "watchNews", src: "watchNews" },
    { id: "watchAddress", src: "watchAddress" },
  ],
  states: {
    list: {
      ...reading({
        src: "fetchLedger",
        store: "storeLedger",
        what: "the messages",
        input: ({ context }: { context: LedgerContext }) => ({
          filters: context.filters,
          count: Math.max(PAGE, context.items.length),
        }),
      }),
      on: {
        "filters.change": {
          guard: withEvent("isOther"),
          target: ".loading",
          actions: [withEvent("storeFilters"), { type: "writeAddress", params: ({ context }) => context.filters }],
        },
        "filters.clear": {
          guard: "isFiltered",
          target: ".loading",
          actions: [
            { type: "storeFilters", params: { filters: NO_FILTERS } },
            { type: "writeAddress", params: ({ context }) => context.filters },
          ],
        },
        "address.changed": { guard: withEvent("isOther"), target: ".loading", actions: withEvent("storeFilters") },
        "fresh.show": { guard: "hasFresh", actions: "showFresh" },
      },
    },
    older: {
      ...readingOlder({
        guard: "canGrow",
        what: "older messages",
        input: ({ context }: { context: LedgerContext }) => ({ filters: context.filters, before: context.next ?? "" }),
      }),
      on: {
        "filters.change": { guard: withEvent("isOther"), target: ".resting" },
        "filters.clear": { guard: "isFiltered", target: ".resting" },
        "address.changed": { guard: withEvent("isOther"), target: ".resting" },
      },
    },
    news: gatheringNews("news.changed"),
  },
});

export type LedgerSnapshot = SnapshotFrom<typeof ledgerMachine>;
