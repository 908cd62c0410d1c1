import { type EventObject, fromCallback, fromPromise } from "xstate";
import type { InboxItem, InboxPage, WaitingOrder } from "../../../domain/inbox.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";
import type { Notifier } from "../kit/speaking.ts";
import type { InboxPlace } from "./inbox.address.ts";

export type InboxGateway = {
  listInbox(request: Listing & { before: string | null; limit: number }, signal: AbortSignal): Promise<InboxPage>;
};

/** A place, with the order of those who wait. */
type Listing = InboxPlace & { order: WaitingOrder };
/** The conversations of a place, `count` of them or a few more. */
export type InboxRequest = Listing & { count: number };
/** The page behind a conversation. */
export type TailRequest = Listing & { before: string };
export type Tail = InboxPage & { before: string };

export type InboxDeps = {
  inbox: InboxGateway;
  events: { subscribe(type: "inbox.changed" | "message.changed", listener: (data: unknown) => void): () => void };
  /** The list's part of the page's address. */
  address: {
    read(): InboxPlace;
    write(place: InboxPlace): void;
    subscribe(listener: () => void): () => void;
  };
  /** Remembers the order of those who wait. */
  rememberOrder(order: WaitingOrder): void;
  /** Shows a lead's conversation. */
  openLead(leadId: string): void;
  notifier: Pick<Notifier, "toast" | "warn">;
  logger: Logger;
};

export const PAGE = 50;
const LARGEST_PAGE = 200;

export const placeholderActors = {
  fetchInbox: notProvided<InboxPage, InboxRequest>("fetchInbox"),
  fetchTail: notProvided<Tail, TailRequest>("fetchTail"),
  findWaiting: notProvided<string | null, { from: string | null; order: WaitingOrder }>("findWaiting"),
  watchInbox: fromCallback<EventObject>(() => {}),
  watchAddress: fromCallback<EventObject>(() => {}),
};

export const createInboxActors = ({ inbox, events, address }: InboxDeps): typeof placeholderActors => ({
  fetchInbox: fromPromise(async ({ input: { count, ...place }, signal }) => {
    const items = new Map<string, InboxItem>();
    let next: string | null = null;
    do {
      const limit = Math.min(LARGEST_PAGE, count - items.size);
      // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
      const page: InboxPage = await inbox.listInbox({ ...place, before: next, limit }, signal);
      for (const item of page.items) items.set(item.lead.id, item);
      next = page.next;
    } while (next !== null && items.size < count);
    return { items: [...items.values()], next };
  }),
  fetchTail: fromPromise(async ({ input, signal }) => ({
    ...(await inbox.listInbox({ ...input, limit: PAGE }, signal)),
    before: input.before,
  })),
  findWaiting: fromPromise(async ({ input: { from, order }, signal }) => {
    const first = async (before: string | null) => {
      const { items } = await inbox.listInbox({ view: "waiting", order, q: "", before, limit: 2 }, signal);
      return items.find(({ lead }) => lead.id !== from)?.lead.id ?? null;
    };
    return (from === null ? null : await first(from)) ?? (await first(null));
  }),
  watchInbox: fromCallback(({ sendBack }) => {
    const tell = () => sendBack({ type: "inbox.changed" });
    const stops = [events.subscribe("inbox.changed", tell), events.subscribe("message.changed", tell)];
    return () => stops.forEach((stop) => stop());
  }),
  watchAddress: fromCallback(({ sendBack }) =>
    address.subscribe(() => sendBack({ type: "address.changed", place: address.read() })),
  ),
});
