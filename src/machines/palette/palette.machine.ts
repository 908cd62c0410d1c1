import { type SnapshotFrom, assign, setup } from "xstate";
import type { Lead } from "../../../domain/lead.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { type Found, placeholderActors } from "./palette.actors.ts";

type PaletteContext = {
  /** What is typed. */
  query: string;
  /** What the server found, and for which words. */
  found: Found | null;
  /** Everybody whom the server has named since the palette was opened: they are found before it answers. */
  known: readonly Lead[];
};

/**
 * The palette: people are looked up with each letter; what was typed since gives an older question up. What is known already
 * is found without asking.
 */
export const paletteMachine = setup({
  types: {
    context: {} as PaletteContext,
    events: {} as { type: "query.change"; query: string } | { type: "reading.retry" },
    tags: {} as "busy",
  },
  actors: placeholderActors,
  actions: {
    storeQuery: assign((_, params: { query: string }) => ({ query: params.query })),
    storeFound: assign(({ context: { known } }, found: Found) => {
      const ids = new Set(found.people.map(({ id }) => id));
      return { found, known: [...found.people, ...known.filter(({ id }) => !ids.has(id))] };
    }),
    reportFailure: unreported,
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
        onError: { target: "unread", actions: reportFailure("people were not found") },
      },
    },
    found: {},
    unread: { on: { "reading.retry": "searching" } },
  },
});

export type PaletteSnapshot = SnapshotFrom<typeof paletteMachine>;
