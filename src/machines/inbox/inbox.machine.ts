import { msg } from "@lingui/core/runtime-macro";
import { type EventObject, and, assign, fromCallback, fromPromise, or, raise, setup, stateIn } from "xstate";
import type { InboxItem, InboxPage, InboxView, WaitingOrder } from "../../../domain/inbox.ts";
import type { createConversationGateway } from "../../services/conversation.ts";
import type { ServerEvents } from "../../services/events.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { type ReadingEvent, fetching, readNewest } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { loadRegion, throttledRefresh, watchingEvents } from "../kit/refreshing.ts";
import { type InboxPlace, isSamePlace } from "./inbox.address.ts";

type InboxParts = {
  inbox: Pick<ReturnType<typeof createConversationGateway>, "listInbox">;
  /** The server's events, and this page's own changes. */
  events: ServerEvents;
  /** The list's query in the page's address. */
  address: {
    read: () => InboxPlace;
    write: (place: InboxPlace) => void;
    subscribe: (listener: () => void) => () => void;
  };
  rememberOrder: (order: WaitingOrder) => void;
  openLead: (leadId: string) => void;
};

type Listing = InboxPlace & { order: WaitingOrder };
type Tail = InboxPage & { before: string };

const PAGE = 50;
const LARGEST_PAGE = 200;

type InboxContext = {
  place: InboxPlace;
  order: WaitingOrder;
  /** The search text. */
  typed: string;
  items: InboxItem[];
  /** The cursor for more conversations; null at the end. */
  next: string | null;
};

const listingOf = ({ place, order }: InboxContext) => ({ ...place, order });

/**
 * The list of conversations: a view and a search, pages loaded on scrolling, and events that refresh it at most once a second. The next
 * page loads only while the list is current, so it never continues an outdated list.
 */
export const createInbox = (page: Page, { inbox, events, address, rememberOrder, openLead }: InboxParts) =>
  setup({
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
      tags: {} as "loading" | "refreshing" | "loadFailed" | "outdated" | "extending",
    },
    actors: {
      /** Reads `count` conversations or slightly more. */
      fetchInbox: fetching(({ count, ...listing }: Listing & { count: number }, signal: AbortSignal) =>
        readNewest(
          count,
          (before, missing) => inbox.listInbox({ ...listing, before, limit: Math.min(LARGEST_PAGE, missing) }, signal),
          ({ lead }) => lead.id,
        ),
      ),
      fetchTail: fromPromise<Tail, Listing & { before: string }>(async ({ input, signal }) => ({
        ...(await inbox.listInbox({ ...input, limit: PAGE }, signal)),
        before: input.before,
      })),
      findWaiting: fromPromise<string | null, { from: string | null; order: WaitingOrder }>(
        async ({ input: { from, order }, signal }) => {
          const first = async (before: string | null) => {
            const { items } = await inbox.listInbox({ view: "waiting", order, q: "", before, limit: 2 }, signal);
            return items.find(({ lead }) => lead.id !== from)?.lead.id ?? null;
          };
          return (from === null ? null : await first(from)) ?? (await first(null));
        },
      ),
      watchInbox: watchingEvents(events, ["inbox.changed", "message.changed"], "inbox.changed"),
      watchAddress: fromCallback<EventObject>(({ sendBack }) =>
        address.subscribe(() => sendBack({ type: "address.changed", place: address.read() })),
      ),
    },
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
      rememberOrder: (_args, { order }: { order: WaitingOrder }) => rememberOrder(order),
      writeAddress: (_args, place: InboxPlace) => address.write(place),
      openLead: (_args, { leadId }: { leadId: string }) => openLead(leadId),
      announceNoneWaiting: () => page.notifier.toast(msg`Nobody else is waiting for an answer.`),
      warnNotFound: () => page.notifier.warn(msg`The next person waiting could not be found. Try again.`),
      refresh: raise({ type: "reading.refresh" }),
      apply: raise({ type: "query.apply" }),
      reportFailure: createReporter(page.logger),
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
        ...loadRegion({
          src: "fetchInbox",
          store: "storeInbox",
          what: msg`the conversations`,
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
      /** A refresh cancels the next page. */
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
              // Only an address with another list has another search; opening a conversation keeps the search text.
              "address.changed": { guard: withEvent("isElsewhere"), target: "resting" },
            },
          },
        },
      },
      news: throttledRefresh("inbox.changed"),
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
                { target: "resting", actions: "announceNoneWaiting" },
              ],
              onError: {
                target: "resting",
                actions: ["warnNotFound", reportFailure("the next person waiting could not be read")],
              },
            },
          },
        },
      },
    },
  });

export const Inbox = createChart<typeof createInbox>("inbox");
