import { type EventObject, fromCallback, fromPromise } from "xstate";
import type { LedgerItem, LedgerPage } from "../../../domain/ledger.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Logger } from "../kit/reporting.ts";
import type { LedgerFilters } from "./ledger.address.ts";

export type LedgerGateway = {
  /** A page of what matches, newest first, behind `before`. */
  listSends(
    request: LedgerFilters & { before: string | null; limit: number },
    signal: AbortSignal,
  ): Promise<LedgerPage>;
};

/** `telegram.changed` changes what the waiting ones wait for. */
export const NEWS = ["ledger.changed", "message.changed", "lead.changed", "bulk.changed", "telegram.changed"] as const;

export type LedgerDeps = {
  ledger: LedgerGateway;
  events: { subscribe(type: (typeof NEWS)[number], listener: () => void): () => void };
  /** The list's part of the page's address. */
  address: {
    read(): LedgerFilters;
    write(filters: LedgerFilters): void;
    subscribe(listener: () => void): () => void;
  };
  logger: Logger;
};

/** The newest messages, `count` of them or a few more. */
export type LedgerRequest = { filters: LedgerFilters; count: number };
export type OlderRequest = { filters: LedgerFilters; before: string };
export type OlderPage = { page: LedgerPage; before: string };

export const PAGE = 50;
const LARGEST_PAGE = 200;

export const placeholderActors = {
  fetchLedger: notProvided<LedgerPage, LedgerRequest>("fetchLedger"),
  fetchOlder: notProvided<OlderPage, OlderRequest>("fetchOlder"),
  watchNews: fromCallback<EventObject>(() => {}),
  watchAddress: fromCallback<EventObject>(() => {}),
};

export const createLedgerActors = ({ ledger, events, address }: LedgerDeps): typeof placeholderActors => ({
  fetchLedger: fromPromise(async ({ input: { filters, count }, signal }) => {
    const items = new Map<string, LedgerItem>();
    let next: string | null = null;
    let known = -1;
    // A page that brings nothing new is the end, whatever it says.
    while (items.size > known && (known === -1 || next !== null) && items.size < count) {
      known = items.size;
      const limit = Math.min(LARGEST_PAGE, count - items.size);
      // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
      const page: LedgerPage = await ledger.listSends({ ...filters, before: next, limit }, signal);
      for (const item of page.items) items.set(item.id, item);
      next = page.next;
    }
    return { items: [...items.values()], next };
  }),
  fetchOlder: fromPromise(async ({ input: { filters, before }, signal }) => ({
    page: await ledger.listSends({ ...filters, before, limit: PAGE }, signal),
    before,
  })),
  watchNews: fromCallback(({ sendBack }) => {
    const ends = NEWS.map((type) => events.subscribe(type, () => sendBack({ type: "news.changed" })));
    return () => ends.forEach((end) => end());
  }),
  watchAddress: fromCallback(({ sendBack }) =>
    address.subscribe(() => sendBack({ type: "address.changed", filters: address.read() })),
  ),
});
