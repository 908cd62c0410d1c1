import { msg } from "@lingui/core/runtime-macro";
import { type EventObject, type SnapshotFrom, and, assign, fromCallback, or, raise, setup, stateIn } from "xstate";
import type { LedgerItem, LedgerPage } from "../../../domain/ledger.ts";
import type { ScreenAddress } from "../../services/address.ts";
import { createLedgerGateway } from "../../services/ledger.ts";
import { createChart, withEvent } from "../kit/chart.ts";
import {
  type OlderPage,
  type ReadingEvent,
  type ReadingTag,
  fetching,
  readNewest,
  olderPages,
} from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion, throttledRefresh, watchingEvents } from "../kit/refreshing.ts";
import { type LedgerFilters, NO_FILTERS, filtersOf, isSame, rangeOf, searchOf } from "./ledger.address.ts";
import { EMPTY, type LedgerList, withOlder, withRefresh } from "./ledger.list.ts";

type LedgerParts = {
  /** The list's query in the page's address. */
  address: Pick<ScreenAddress, "read" | "write" | "subscribe">;
  ledger?: ReturnType<typeof createLedgerGateway>;
};

/** `telegram.changed` changes what pending messages wait for. */
const NEWS = ["ledger.changed", "message.changed", "lead.changed", "bulk.changed", "telegram.changed"] as const;

const PAGE = 50;
const LARGEST_PAGE = 200;

type LedgerContext = LedgerList & { filters: LedgerFilters };

/**
 * Every planned message and its outcome. Updates refresh the list, one request at a time; new rows are held back until the user asks for
 * them. The next page loads only while the list is current, so it never continues an outdated list.
 */
export const createLedger = (page: Page, { address, ledger = createLedgerGateway(page.http) }: LedgerParts) =>
  setup({
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
      tags: {} as ReadingTag,
    },
    actors: {
      fetchLedger: fetching(({ filters, count }: { filters: LedgerFilters; count: number }, signal: AbortSignal) =>
        readNewest(
          count,
          (before, missing) => {
            const limit = Math.min(LARGEST_PAGE, missing);
            return ledger.listSends({ ...filters, ...rangeOf(filters), before, limit }, signal);
          },
          ({ id }) => id,
        ),
      ),
      fetchOlder: fetching(
        async ({ filters, before }: { filters: LedgerFilters; before: string }, signal: AbortSignal) => ({
          page: await ledger.listSends({ ...filters, ...rangeOf(filters), before, limit: PAGE }, signal),
          before,
        }),
      ),
      watchNews: watchingEvents(page.events, NEWS, "news.changed"),
      watchAddress: fromCallback<EventObject>(({ sendBack }) =>
        address.subscribe(() => sendBack({ type: "address.changed", filters: filtersOf(address.read()) })),
      ),
    },
    actions: {
      storeLedger: assign(({ context }, newest: LedgerPage) => withRefresh(context, newest)),
      storeOlder: assign(({ context }, older: OlderPage<LedgerItem>) => withOlder(context, older)),
      storeFilters: assign(({ context }, { filters }: { filters: Partial<LedgerFilters> }) => ({
        ...EMPTY,
        filters: { ...context.filters, ...filters },
      })),
      showFresh: assign(({ context }) => ({ ...context.held, held: null })),
      writeAddress: (_args, filters: LedgerFilters) => address.write(searchOf(filters)),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
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
        ...loadRegion({
          src: "fetchLedger",
          store: "storeLedger",
          what: msg`the messages`,
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
        ...olderPages({
          guard: "canGrow",
          input: ({ context }: { context: LedgerContext }) => ({
            filters: context.filters,
            before: context.next ?? "",
          }),
        }),
        on: {
          "filters.change": { guard: withEvent("isOther"), target: ".resting" },
          "filters.clear": { guard: "isFiltered", target: ".resting" },
          "address.changed": { guard: withEvent("isOther"), target: ".resting" },
        },
      },
      news: throttledRefresh("news.changed"),
    },
  });

export const Ledger = createChart<typeof createLedger>("ledger");

/** The lead's name, if the list is filtered by lead and the name is known; null otherwise. */
export const selectPerson = ({ context: { filters, items } }: SnapshotFrom<typeof createLedger>): string | null =>
  filters.leadId === "" ? null : (items.find(({ lead }) => lead?.id === filters.leadId)?.lead?.name ?? null);
