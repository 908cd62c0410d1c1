import { type SnapshotFrom, and, assign, or, raise, setup, stateIn } from "xstate";
import type { InboxItem, InboxPage, InboxView, WaitingOrder } from "../../../domain/inbox.ts";
import { gatheringNews } from "../kit/news.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { type ReadingEvent, reading } from "../kit/reading.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { PAGE, type Tail, placeholderActors } from "./inbox.actors.ts";
import { type InboxPlace, isSamePlace } from "./inbox.address.ts";

type InboxContext = {
  /** What is listed. */
  place: InboxPlace;
  /** In which order those who wait are listed. */
  order: WaitingOrder;
  /** The search as typed. */
  typed: string;
  items: InboxItem[];
  /** Behind which conversation there are more; null where there are none. */
  next: string | null;
};

const listingOf = ({ place, order }: InboxContext) => ({ ...place, order });

/**
 * The list of conversations: a view and a search, the page that grows downwards, and news from outside, at most one reading
 * a second. The list grows only while it is current, so that no page is put behind one that is being replaced.
 */
export const inboxMachine = setup({
  types: {
    input: {} as InboxPlace & { order?: WaitingOrder },
    context: {} as InboxContext,
    events: {} as
      | ReadingEvent
      | { type: "view.choose"; view: InboxView }
      | { type: "order.choose"; order: WaitingOrder }
      | { type: "query.change"; q: string }
      | { type: "query.apply" }
      | { type: "address.changed"; place: InboxPlace }
      | { type: "list.more" }
      | { type: "inbox.changed" }
      | { type: "waiting.find"; from: string | null },
    tags: {} as "loading" | "refreshing" | "unread" | "outdated" | "extending",
  },
  actors: placeholderActors,
  actions: {
    storeInbox: assign((_, { items, next }: InboxPage) => ({ items, next })),
    storeTail: assign(({ context }, { items, next }: Tail) => {
      const known = new Set(context.items.map(({ lead }) => lead.id));
      return { items: [...context.items, ...items.filter(({ lead }) => !known.has(lead.id))], next };
    }),
    storeView: assign(({ context }, params: { view: InboxView }) => ({
      place: { ...context.place, view: params.view },
      items: [],
      next: null,
    })),
    storeOrder: assign((_, params: { order: WaitingOrder }) => ({ order: params.order, items: [], next: null })),
    storeTyped: assign((_, params: { q: string }) => ({ typed: params.q })),
    applyQuery: assign(({ context }) => ({
      place: { ...context.place, q: context.typed.trim() },
      items: [],
      next: null,
    })),
    goToPlace: assign((_, { place }: { place: InboxPlace }) => ({ place, typed: place.q, items: [], next: null })),
    rememberOrder: (_args, _params: { order: WaitingOrder }) => {},
    writeAddress: (_args, _params: InboxPlace) => {},
    openLead: (_args, _params: { leadId: string }) => {},
    tellNobodyWaits: () => {},
    tellNotFound: () => {},
    refresh: raise({ type: "reading.refresh" }),
    apply: raise({ type: "query.apply" }),
    reportFailure: unreported,
  },
  guards: {
    isOtherView: ({ context }, params: { view: InboxView }) => params.view !== context.place.view,
    isOtherOrder: ({ context }, params: { order: WaitingOrder }) =>
      params.order !== context.order && context.place.view === "waiting",
    isOtherQuery: ({ context }) => context.typed.trim() !== context.place.q,
    isElsewhere: ({ context }, params: { place: InboxPlace }) => !isSamePlace(params.place, context.place),
    isReading: or([stateIn({ list: "loading" }), stateIn({ list: { shown: "refreshing" } })]),
    hasMore: and([({ context }) => context.next !== null, stateIn({ list: { shown: "current" } })]),
    isFound: (_, leadId: string | null) => leadId !== null,
  },
  delays: { newsPause: 1_000, queryPause: 300 },
}).createMachine({
  id: "inbox",
  context: ({ input: { order = "longest", ...place } }) => ({ place, order, typed: place.q, items: [], next: null }),
  type: "parallel",
  invoke: [
    { id: "watchInbox", src: "watchInbox" },
    { id: "watchAddress", src: "watchAddress" },
  ],
  states: {
    list: {
      ...reading({
        src: "fetchInbox",
        store: "storeInbox",
        what: "the conversations",
        input: ({ context }: { context: InboxContext }) => ({
          ...listingOf(context),
          count: Math.max(PAGE, context.items.length),
        }),
      }),
      on: {
        "view.choose": {
          guard: withEvent("isOtherView"),
          target: ".loading",
          actions: [withEvent("storeView"), { type: "writeAddress", params: ({ context }) => context.place }],
        },
        "order.choose": {
          guard: withEvent("isOtherOrder"),
          target: ".loading",
          actions: [withEvent("storeOrder"), withEvent("rememberOrder")],
        },
        "query.apply": {
          guard: "isOtherQuery",
          target: ".loading",
          actions: ["applyQuery", { type: "writeAddress", params: ({ context }) => context.place }],
        },
        "address.changed": { guard: withEvent("isElsewhere"), target: ".loading", actions: withEvent("goToPlace") },
      },
    },
    /** What a new reading replaces is not extended any more. */
    tail: {
      initial: "resting",
      states: {
        resting: { on: { "list.more": { guard: "hasMore", target: "extending" } } },
        extending: {
          tags: "extending",
          invoke: {
            id: "fetchTail",
            src: "fetchTail",
            input: ({ context }) => ({ ...listingOf(context), before: context.next ?? "" }),
            onDone: { target: "resting", actions: withOutput("storeTail") },
            onError: { target: "unextended", actions: reportFailure("further conversations could not be read") },
          },
          on: {
            "reading.refresh": "resting",
            "view.choose": "resting",
            "order.choose": { guard: withEvent("isOtherOrder"), target: "resting" },
            "query.apply": "resting",
            "address.changed": "resting",
          },
        },
        unextended: {
          on: {
            "list.more": { guard: "hasMore", target: "extending" },
            "view.choose": "resting",
            "order.choose": { guard: withEvent("isOtherOrder"), target: "resting" },
            "query.apply": "resting",
            "address.changed": "resting",
          },
        },
      },
    },
    search: {
      initial: "resting",
      on: { "query.change": { target: ".typing", actions: withEvent("storeTyped") } },
      states: {
        resting: {},
        typing: {
          after: { queryPause: { target: "resting", actions: "apply" } },
          on: {
            "query.apply": "resting",
            // Only an address with another list has another search; opening a conversation keeps what is being typed.
            "address.changed": { guard: withEvent("isElsewhere"), target: "resting" },
          },
        },
      },
    },
    news: gatheringNews("inbox.changed"),
    next: {
      initial: "resting",
      states: {
        resting: { on: { "waiting.find": "finding" } },
        finding: {
          invoke: {
            id: "findWaiting",
            src: "findWaiting",
            input: ({ context: { order }, event }) => ({
              from: event.type === "waiting.find" ? event.from : null,
              order,
            }),
            onDone: [
              {
                guard: withOutput("isFound"),
                target: "resting",
                actions: { type: "openLead", params: ({ event }) => ({ leadId: event.output ?? "" }) },
              },
              { target: "resting", actions: "tellNobodyWaits" },
            ],
            onError: {
              target: "resting",
              actions: ["tellNotFound", reportFailure("the next person waiting could not be read")],
            },
          },
        },
      },
    },
  },
});

export type InboxSnapshot = SnapshotFrom<typeof inboxMachine>;
