import { type SnapshotFrom, assign, setup } from "xstate";
import type { Lead, LeadsPage } from "../../../domain/lead.ts";
import { LEADS_PAGE_SIZE } from "../../../domain/limits.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { fetching } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";

type PaletteParts = {
  listLeads: (request: { offset: number; limit: number; q?: string }, signal: AbortSignal) => Promise<LeadsPage>;
};

type Found = { query: string; people: readonly Lead[] };

type PaletteContext = {
  query: string;
  found: Found | null;
  /** All leads returned since the palette was opened, to find them before the server responds. */
  known: readonly Lead[];
};

const PEOPLE = 8;

/**
 * The command palette: looks people up with each letter and aborts the previous request. Known people are found without a request.
 */
export const createPalette = (page: Page, { listLeads }: PaletteParts) =>
  setup({
    types: {
      context: {} as PaletteContext,
      events: {} as { type: "query.change"; query: string } | { type: "reading.retry" },
      tags: {} as "busy",
    },
    actors: {
      findPeople: fetching(async ({ query }: { query: string }, signal: AbortSignal): Promise<Found> => {
        // Without a query, reads a whole page of the newest leads, to find them before the server responds.
        const request = query === "" ? { limit: LEADS_PAGE_SIZE } : { limit: PEOPLE, q: query };
        const { leads } = await listLeads({ offset: 0, ...request }, signal);
        return { query, people: leads };
      }),
    },
    actions: {
      storeQuery: assign((_, params: { query: string }) => ({ query: params.query })),
      storeFound: assign(({ context: { known } }, found: Found) => {
        const ids = new Set(found.people.map(({ id }) => id));
        return { found, known: [...found.people, ...known.filter(({ id }) => !ids.has(id))] };
      }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isOtherQuery: ({ context }, params: { query: string }) => params.query.trim() !== context.query.trim(),
    },
  }).createMachine({
    id: "palette",
    context: { query: "", found: null, known: [] },
    initial: "searching",
    on: {
      "query.change": [
        { guard: withEvent("isOtherQuery"), target: ".searching", actions: withEvent("storeQuery") },
        { actions: withEvent("storeQuery") },
      ],
    },
    states: {
      searching: {
        tags: "busy",
        invoke: {
          id: "findPeople",
          src: "findPeople",
          input: ({ context }) => ({ query: context.query.trim() }),
          onDone: { target: "found", actions: withOutput("storeFound") },
          onError: { target: "loadFailed", actions: reportFailure("people were not found") },
        },
      },
      found: {},
      loadFailed: { on: { "reading.retry": "searching" } },
    },
  });

export const Palette = createChart<typeof createPalette>("palette");

/** The server's matches for the current query; null until they have loaded. */
export function selectFound({ context }: SnapshotFrom<typeof createPalette>): readonly Lead[] | null {
  return context.found?.query === context.query.trim() ? context.found.people : null;
}
