import { type AnyEventObject, fromCallback, fromPromise } from "xstate";
import type { Subscription } from "../../../domain/subscription.ts";
import { notProvided } from "../kit/not-provided.ts";

export type User = { id: string; email: string | null };
export type StartedSession = { user: User; accessToken: string };

/** Facts the sign-in service tells of, from this tab and others. */
export type SessionFact =
  | {
      type: "session.started" | "user.updated" | "token.refreshed" | "recovery.started";
      session: StartedSession;
    }
  | { type: "session.ended" };

/** A subscription and the time at which it was read, in milliseconds. */
export type SubscriptionReading = { subscription: Subscription | null; at: number };

export type SessionDeps = {
  auth: {
    subscribe: (listener: (fact: SessionFact) => void) => () => void;
    signOut: () => Promise<void>;
    keepFresh: () => void;
  };
  data: { fetchSubscription: (userId: string, signal: AbortSignal) => Promise<Subscription | null> };
  events: { subscribe: (type: "subscription.changed", listener: () => void) => () => void };
  tokens: { set: (key: string, value: string) => void; remove: (key: string) => void };
  logger: { warn: (what: string, error: unknown) => void };
  now: () => number;
};

/** Under this key the access token lies in localStorage, beside the sign-in client's own session. */
export const TOKEN_KEY = "sb_token";

const silent = fromCallback<AnyEventObject>(() => {});

export const placeholderActors = {
  watchSession: silent,
  watchTab: silent,
  watchSubscription: silent,
  fetchSubscription: notProvided<SubscriptionReading, { userId: string }>("fetchSubscription"),
  signOut: notProvided<void, void>("signOut"),
};

export const createSessionActors = ({ auth, data, events, now }: SessionDeps) => ({
  watchSession: fromCallback<AnyEventObject>(({ sendBack }) => auth.subscribe(sendBack)),
  watchTab: fromCallback<AnyEventObject>(({ sendBack }) => {
    const tell = () => {
      if (document.visibilityState === "visible") sendBack({ type: "tab.shown", at: now() });
    };
    window.addEventListener("focus", tell);
    document.addEventListener("visibilitychange", tell);
    return () => {
      window.removeEventListener("focus", tell);
      document.removeEventListener("visibilitychange", tell);
    };
  }),
  watchSubscription: fromCallback<AnyEventObject>(({ sendBack }) =>
    events.subscribe("subscription.changed", () => sendBack({ type: "reading.refresh" })),
  ),
  fetchSubscription: fromPromise<SubscriptionReading, { userId: string }>(async ({ input, signal }) => ({
    subscription: await data.fetchSubscription(input.userId, signal),
    at: now(),
  })),
  signOut: fromPromise<void, void>(() => auth.signOut()),
});
