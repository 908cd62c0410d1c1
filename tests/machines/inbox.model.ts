import type { AnyMachineSnapshot } from "xstate";
import type { InboxItem } from "../../domain/inbox.ts";
import { createInbox } from "../../src/machines/inbox/inbox.machine.ts";
import { done } from "../support/model-events.ts";
import { fakePage } from "../support/page.ts";
import { type WalkedModel, overPending } from "../support/walk-model.ts";

export const conversationOf = (id: string, known: Partial<InboxItem> = {}): InboxItem => ({
  lead: { id, name: `Lead ${id}`, username: null, stage_id: null },
  last: { text: `Words of ${id}`, direction: "in", kind: "text", at: "2026-03-05T10:00:00.000Z" },
  waiting_since: "2026-03-05T10:00:00.000Z",
  unread: 1,
  ...known,
});

export const nowhere = { view: "waiting", q: "" } as const;

const page = fakePage();

export const inboxMachine = createInbox(page, {
  inbox: { listInbox: () => Promise.reject(new Error("the walk answers this call")) },
  events: page.events,
  address: { read: () => nowhere, write: () => {}, subscribe: () => () => {} },
  rememberOrder: () => {},
  openLead: () => {},
});

type Region = "list" | "tail" | "search" | "news" | "next";
const REST: Record<Region, string | Record<string, string>> = {
  list: { shown: "current" },
  tail: "resting",
  search: "resting",
  news: "quiet",
  next: "resting",
};
const regionsOf = (type: string): Region[] => {
  if (type.startsWith("address")) return ["list", "search"];
  if (/fetchInbox|^reading|^view|^order/.test(type)) return ["list"];
  if (/fetchTail|^list\.more/.test(type)) return ["tail"];
  if (/^query|queryPause/.test(type)) return ["search", "list"];
  if (/^inbox|newsPause/.test(type)) return ["news", "list"];
  return ["next"];
};

export const inboxModel: WalkedModel = {
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
  // Each region is walked while the others are idle, except regions that affect each other.
  allow: (snapshot: AnyMachineSnapshot, { type }) => {
    const own = regionsOf(type);
    return (Object.keys(REST) as Region[]).every(
      (region) => own.includes(region) || snapshot.matches({ [region]: REST[region] }) || reaches(region, own),
    );
  },
  delays: { newsPause: 1_000, queryPause: 300 },
  provide: overPending(inboxMachine),
};

/** News events and searches wait for the list, the list cancels loading older items, and each can start during a load. */
const reaches = (busy: Region, own: readonly Region[]) =>
  (busy === "list" && own.includes("news")) ||
  (busy === "tail" && own.includes("list")) ||
  (busy === "news" && own.includes("list"));
