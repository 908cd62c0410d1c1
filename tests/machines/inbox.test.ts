import { describe, expect, it } from "vitest";
import { SimulatedClock } from "xstate";
import type { InboxPage, WaitingOrder } from "../../domain/inbox.ts";
import { type InboxPlace, placeOf, searchOf } from "../../src/machines/inbox/inbox.address.ts";
import { createInbox } from "../../src/machines/inbox/inbox.machine.ts";
import { fakePage, openJourney, settle } from "../support/page.ts";
import {
  type ContextOf,
  type Visit,
  isCalling,
  newsInvariants,
  readingInvariants,
  unchecked,
  walkEveryPath,
} from "../support/invariants.ts";
import { conversationOf, inboxModel, nowhere } from "./inbox.model.ts";

type Context = ContextOf<typeof inboxModel>;
const MOVES = ["view.choose", "order.choose", "query.apply", "address.changed"];
const hasMore = ({ next }: Context, isIn: (state: string) => boolean) => next !== null && isIn("list.shown.current");

const shows = ({ context, before, event }: Visit<Context>) => expect(context).toEqual({ ...before, ...event.output });

walkEveryPath(inboxModel, {
  ...readingInvariants("list.", "fetchInbox", shows, {
    starts: MOVES,
    input: { view: expect.anything(), q: expect.anything(), order: expect.anything(), count: 50 },
  }),
  list: {
    accepts: ({ place, order, typed }) => [
      ...(place.view === "unread" ? [] : ["view.choose"]),
      ...(place.view === "waiting" && order === "longest" ? ["order.choose"] : []),
      ...(typed === place.q ? [] : ["query.apply"]),
      ...(place.view === "all" && place.q === "" ? [] : ["address.changed"]),
    ],
    holds: ({ cause, event, context: { place, order, items, next }, before, effects, calls }) => {
      if (cause === "view.choose") expect(place).toEqual({ ...before.place, view: event.view });
      if (cause === "order.choose" && place.view === "waiting") expect(order).toEqual(event.order);
      if (/^query\.apply$|queryPause/.test(cause)) expect(place).toEqual({ ...before.place, q: before.typed });
      if (cause === "address.changed") expect(place).toEqual(event.place);
      if (JSON.stringify([place, order]) === JSON.stringify([before.place, before.order])) return;
      expect([items, next]).toEqual([[], null]);
      isCalling("fetchInbox", { ...place, order, count: 50 })({ calls });
      if (cause === "order.choose") expect(effects).toMatchObject({ rememberOrder: { order } });
      else expect(effects).toEqual(cause === "address.changed" ? {} : { writeAddress: place });
    },
  },
  "tail.resting": {
    accepts: (context, isIn) => (hasMore(context, isIn) ? ["list.more"] : []),
    after: {
      start: null,
      ...Object.fromEntries(["reading.refresh", ...MOVES].map((cause) => [cause, null])),
      "done fetchTail": ({ context, before, event }) =>
        expect(context).toEqual({ ...before, items: [...before.items, ...event.output.items], next: null }),
    },
  },
  "tail.extending": {
    accepts: ["reading.refresh", "view.choose", "query.apply", "address.changed"],
    after: ["list.more"],
    holds: ({ context: { place, order }, calls }) =>
      isCalling("fetchTail", { ...place, order, before: "1" })({ calls }),
  },
  "tail.unextended": {
    accepts: (context, isIn) => [
      ...(hasMore(context, isIn) ? ["list.more"] : []),
      "view.choose",
      "query.apply",
      "address.changed",
    ],
    after: ["error fetchTail"],
  },
  search: { accepts: ["query.change"] },
  "search.resting": {
    after: {
      ...unchecked("start", "query.apply", "after queryPause"),
      "address.changed": ({ context, event }) => expect(context.typed).toEqual(event.place.q),
    },
    holds: ({ context }) => expect(context.typed).toEqual(context.place.q),
  },
  "search.typing": {
    accepts: ["query.apply"],
    after: { "query.change": ({ context, before, event }) => expect(context).toEqual({ ...before, typed: event.q }) },
  },
  ...newsInvariants("inbox.changed", ["fetchInbox"]),
  "next.resting": {
    accepts: ["waiting.find"],
    after: {
      start: null,
      "done findWaiting": ({ event, effects }) =>
        expect(effects).toEqual(event.output === null ? { announceNoneWaiting: null } : { openLead: { leadId: "2" } }),
      "error findWaiting": ({ effects }) => expect(effects).toHaveProperty("warnNotFound"),
    },
  },
  "next.finding": {
    after: ["waiting.find"],
    holds: ({ context: { order }, calls }) => isCalling("findWaiting", { from: "1", order })({ calls }),
  },
});

type InboxRequest = InboxPlace & { order: WaitingOrder } & { before: string | null; limit: number };

async function startInbox(answer: (request: InboxRequest) => Promise<InboxPage>) {
  const requests: InboxRequest[] = [];
  const calls: string[] = [];
  const page = fakePage();
  const moves = new Set<() => void>();
  let place: InboxPlace = nowhere;
  const clock = new SimulatedClock();
  const logic = createInbox(page, {
    inbox: { listInbox: (request) => (requests.push(request), answer(request)) },
    events: page.events,
    address: {
      read: () => place,
      write: (next) => void (place = next),
      subscribe: (listener) => (moves.add(listener), () => moves.delete(listener)),
    },
    rememberOrder: (order) => calls.push(`order ${order}`),
    openLead: (leadId) => calls.push(`open ${leadId}`),
  });
  const journey = await openJourney(logic, { input: nowhere, clock });
  return {
    ...journey,
    requests,
    calls,
    notices: page.notices,
    change: () => (page.publish("inbox.changed"), settle()),
    pass: (milliseconds: number) => (clock.increment(milliseconds), settle()),
    goTo(next: InboxPlace) {
      place = next;
      moves.forEach((move) => move());
    },
    place: () => place,
  };
}
/** Returns `total` conversations, numbered from 1. */
const numbered =
  (total: number) =>
  async ({ before, limit }: InboxRequest): Promise<InboxPage> => {
    const from = before === null ? 1 : Number(before) + 1;
    const to = Math.min(total, from + limit - 1);
    const items = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) =>
      conversationOf(String(from + index)),
    );
    return { items, next: to < total ? String(to) : null };
  };

describe("the list of conversations", () => {
  it("grows page by page, and reloads its whole length after a change", async () => {
    const { go, context, requests, change } = await startInbox(numbered(330));
    for (let pages = 0; pages < 4; pages += 1) await go({ type: "list.more" });
    expect(context().items).toHaveLength(250);
    requests.length = 0;
    await change();
    expect(requests.map(({ before, limit }) => `${limit} before ${before}`)).toEqual([
      "200 before null",
      "50 before 200",
    ]);
    expect([context().items.length, context().next]).toEqual([250, "250"]);
  });

  it("orders waiting leads, remembers the order, and finds the next lead by it", async () => {
    const { go, requests, calls, context } = await startInbox(numbered(3));
    await go({ type: "order.choose", order: "longest" }, { type: "order.choose", order: "newest" });
    await go({ type: "waiting.find", from: null });
    expect(requests.map(({ order }) => order)).toEqual(["longest", "newest", "newest"]);
    await go({ type: "view.choose", view: "all" }, { type: "order.choose", order: "longest" });
    expect([context().order, calls]).toEqual(["newest", ["order newest", "open 1"]]);
  });

  it("applies the search when a conversation is opened before the debounce ends", async () => {
    const { go, goTo, pass, place, requests } = await startInbox(numbered(2));
    await go({ type: "query.change", q: "Ann" });
    await pass(100);
    goTo(nowhere);
    await pass(200);
    expect([place(), requests.at(-1)?.q]).toEqual([{ view: "waiting", q: "Ann" }, "Ann"]);
  });
});

it.each([
  { from: "2", waiting: 3, calls: ["open 3"], notices: [], when: "another waits behind the open conversation" },
  { from: "3", waiting: 3, calls: ["open 1"], notices: [], when: "the open conversation is the last" },
  { from: null, waiting: 3, calls: ["open 1"], notices: [], when: "no conversation is open" },
  { from: "1", waiting: 1, calls: [], notices: ["Nobody else is waiting for an answer."], when: "nobody else waits" },
  {
    from: "1",
    waiting: null,
    calls: [],
    notices: [["warning", "The next person waiting could not be found. Try again."]],
    when: "the server does not answer",
  },
])("finds the next waiting lead when $when", async ({ from, waiting, calls, notices }) => {
  const page = await startInbox((request) =>
    waiting !== null
      ? numbered(waiting)(request)
      : request.limit === 2
        ? Promise.reject(new Error())
        : numbered(1)(request),
  );
  await page.go({ type: "waiting.find", from });
  expect([page.calls, page.notices]).toEqual([calls, notices]);
});

describe("the inbox's address", () => {
  it.each([
    ["", { view: "waiting", q: "" }],
    ["view=all&q=Ann+Lee", { view: "all", q: "Ann Lee" }],
    ["view=unread", { view: "unread", q: "" }],
  ] as const)("restores the list from '%s'", (search, place) => {
    expect(placeOf(search)).toEqual(place);
    expect(searchOf(place)).toEqual(search);
  });
  it("shows the first view when invalid", () => expect(placeOf("view=constructor&x=1")).toEqual(nowhere));
});
