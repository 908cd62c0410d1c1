import type { InboxItem } from "../../domain/inbox.ts";
import { createInbox } from "../../src/machines/inbox/inbox.machine.ts";
import { done, modelOf, notCalled, whileAtRest } from "../support/model.ts";
import { fakePage } from "../support/page.ts";

export const conversationOf = (id: string, known: Partial<InboxItem> = {}): InboxItem => ({
  lead: { id, name: `Lead ${id}`, username: null, stage_id: null },
  last: { text: `Words of ${id}`, direction: "in", kind: "text", at: "2026-03-05T10:00:00.000Z" },
  waiting_since: "2026-03-05T10:00:00.000Z",
  unread: 1,
  ...known,
});

export const nowhere = { view: "waiting", q: "" } as const;

const page = fakePage();

const inboxMachine = createInbox(page, {
  inbox: { listInbox: notCalled },
  events: page.events,
  address: { read: () => nowhere, write: () => {}, subscribe: () => () => {} },
  rememberOrder: () => {},
  openLead: () => {},
});

export const inboxModel = modelOf(inboxMachine, {
  input: nowhere,
  events: [
    { type: "view.choose", view: "unread" },
    { type: "order.choose", order: "newest" },
    { type: "query.change", q: "ann" },
    { type: "address.changed", place: { view: "all", q: "" } },
    { type: "waiting.find", from: "1" },
    ...done("fetchInbox", { items: [conversationOf("1")], next: "1" }),
    ...done("fetchTail", { items: [conversationOf("2")], next: null, before: "1" }),
    ...done("findWaiting", "2", null),
  ],
  project: ({ value, context }) => [value, context.order, context.typed !== context.place.q, context.next !== null],
  // The list cancels loading older items, and news events and searches wait for the list.
  allow: whileAtRest(
    { list: { shown: "current" }, tail: "resting", search: "resting", news: "quiet", next: "resting" },
    (type) => {
      if (/^address|^query|queryPause/.test(type)) return ["list", "search", "tail", "news"];
      if (/fetchInbox|^reading|^view|^order|^inbox|newsPause/.test(type)) return ["list", "tail", "news"];
      return /fetchTail|^list\.more/.test(type) ? ["tail"] : ["next"];
    },
  ),
  delays: { newsPause: 1_000, queryPause: 300 },
});
