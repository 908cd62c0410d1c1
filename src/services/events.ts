import { EVENT_TYPES, type EventType } from "../../domain/events.ts";
import type { Sharing } from "./event-sharing.ts";
import type { Logger } from "./logger.ts";
import { prefetchAge } from "./prefetched.ts";

/** Server events as they happen. The app works without them: a listener only keeps the screen fresh. */
export type ServerEvents = {
  /**
   * Calls back with each event of the type, and with `{}` when events may have been missed or the page was away. A stream is open while
   * there are listeners. Returns a function that unsubscribes.
   */
  subscribe: (type: EventType, listener: (data: unknown) => void) => () => void;
};

export type ServerEventsDeps = {
  url: string;
  getSession: () => { userId: string; accessToken: string } | null;
  refresh: () => Promise<unknown>;
  logger: Logger;
  fetch?: typeof fetch;
  headStart?: number;
  /** Milliseconds before the nth reconnection (from 0). */
  pause?: (attempt: number) => number;
  locks?: LockManager | undefined;
};

/** A server may have no event stream for the length of a deploy, or permanently. */
const UNSERVED_REST_MS = 120_000;

/** Exponential back-off with jitter, so that clients do not all reconnect to a restarted server at once. */
const growingPause = (attempt: number) => Math.min(2_000 * 2 ** attempt, 30_000) * (0.75 + Math.random() / 2);

// A login code is useless without its data, and access follows only what the server says.
const NOT_AFTER_RETURN: readonly EventType[] = ["telegram.qr", "subscription.changed"];
const NOT_AFTER_GAP: readonly EventType[] = ["telegram.qr"];

/** The signed-in user's events. Call `follow` when the session may have changed. */
export function createServerEvents(deps: ServerEventsDeps): ServerEvents & { follow: () => void } {
  const { getSession, logger, pause = growingPause } = deps;
  const listeners = new Map<EventType, Set<(data: unknown) => void>>();
  let connection: (Sharing & { userId: string }) | null = null;
  let restsUntil = 0;
  const isListening = () => [...listeners.values()].some((set) => set.size > 0);
  const notify = (type: EventType, data: unknown) => {
    for (const listener of listeners.get(type) ?? []) listener(data);
  };
  const notifyAllBut = (left: readonly EventType[]) => {
    for (const type of EVENT_TYPES) if (!left.includes(type)) notify(type, {});
  };

  const connect = (userId: string): Sharing & { userId: string } => {
    // Prefetched responses are older than this moment.
    const age = prefetchAge();
    const from = { ticks: performance.now() - age, date: Date.now() - age };
    let sharing: Sharing | null = null;
    let isLeft = false;
    const load = async (attempt: number): Promise<void> => {
      try {
        const { shareStream } = await import("./event-sharing.ts");
        if (isLeft) return;
        sharing = shareStream({
          url: deps.url,
          refresh: deps.refresh,
          logger,
          fetch: deps.fetch ?? ((...call) => fetch(...call)),
          headStart: deps.headStart ?? 2_000,
          pause,
          locks: "locks" in deps ? deps.locks : navigator.locks,
          userId,
          from,
          rest: () => Math.max(0, restsUntil - performance.now()),
          accessToken() {
            const session = getSession();
            return session?.userId === userId ? session.accessToken : null;
          },
          deliver(name, data) {
            const type = EVENT_TYPES.find((candidate) => candidate === name);
            // Another tab may have signed in another user a moment ago.
            if (type && getSession()?.userId === userId) notify(type, data);
          },
          onReturn: () => notifyAllBut(NOT_AFTER_RETURN),
          onGap: () => notifyAllBut(NOT_AFTER_GAP),
          onUnserved: () => (restsUntil = performance.now() + UNSERVED_REST_MS),
        });
      } catch (error) {
        logger.warn("the event stream's code did not load", error);
        setTimeout(() => {
          if (!isLeft) void load(attempt + 1);
        }, pause(attempt));
      }
    };
    void load(0);
    return {
      userId,
      retry: () => sharing?.retry(),
      leave() {
        isLeft = true;
        sharing?.leave();
      },
    };
  };

  const follow = () => {
    const userId = isListening() ? (getSession()?.userId ?? null) : null;
    if (connection && connection.userId !== userId) {
      connection.leave();
      connection = null;
    }
    if (userId !== null && connection === null) connection = connect(userId);
  };

  return {
    follow,
    subscribe(type, listener) {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener));
      follow();
      connection?.retry();
      return () => {
        listeners.get(type)?.delete(listener);
        // Navigation swaps listeners within one tick: keep the stream open.
        setTimeout(follow);
      };
    },
  };
}
