import { parse } from "valibot";
import { InboxCounts, WAITING_ORDERS, type WaitingOrder } from "../../domain/inbox.ts";
import type { ServerEvents } from "./events.ts";
import type { Http } from "./http.ts";
import type { Logger } from "./logger.ts";
import type { SafeStorage } from "./storage.ts";

/** Minimum time between two counts. */
const PAUSE_MS = 1_000;

type WaitingDeps = { http: Http; events: ServerEvents; logger: Logger };

/**
 * Reports how many leads are waiting for a reply, now and after every change; null if that could not be read. Returns a function that stops
 * it.
 */
export function watchWaitingCount({ http, events, logger }: WaitingDeps, listener: (waiting: number | null) => void) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isCounting = false;
  let isAsked = false;
  const count = async (): Promise<void> => {
    isAsked = true;
    if (isCounting) return;
    isCounting = true;
    while (isAsked && !signal.aborted) {
      isAsked = false;
      // oxlint-disable-next-line no-await-in-loop -- one count after the other, and none without a change
      const waiting = await http("/inbox/counts", { signal })
        .then((answer) => parse(InboxCounts, answer).waiting)
        .catch((error: unknown) => {
          if (!signal.aborted) logger.warn("the people waiting were not counted", error);
          return null;
        });
      if (signal.aborted) return;
      listener(waiting);
      // oxlint-disable-next-line no-await-in-loop -- the pause between two counts
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    isCounting = false;
  };
  const leave = events.subscribe("inbox.changed", () => void count());
  void count();
  return () => {
    stopping.abort();
    leave();
  };
}

/** Remembers the user's order of waiting leads in this browser; longest wait first by default. */
export function createInboxOrder(storage: SafeStorage, userId: string) {
  const key = `leadloom.inbox_order.${userId}`;
  return {
    read: (): WaitingOrder => WAITING_ORDERS.find((order) => order === storage.get(key)) ?? "longest",
    write: (order: WaitingOrder) => storage.set(key, order),
  };
}
