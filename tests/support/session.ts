import { SimulatedClock } from "xstate";
import type { Subscription } from "../../domain/subscription.ts";
import { type SessionDeps, type SessionFact, type SessionRef, startSession } from "../../src/machines/session/index.ts";

export const NOON = Date.parse("2026-11-21T12:00:00Z");
export const ada = { id: "3f0c8a51-7c1e-4a52-9a44-0c3f6d1f0a01", email: "ada@example.com" };

/** A session whose sign-in service is the returned `tell`; the subscription is read as given, at noon. */
export function startFakeSession(subscription: Subscription | null, overrides: Partial<SessionDeps> = {}) {
  let tell: (fact: SessionFact) => void = () => {};
  const session: SessionRef = startSession(
    {
      auth: {
        subscribe: (listener) => {
          tell = listener;
          return () => {};
        },
        signOut: async () => {},
        keepFresh: () => {},
      },
      data: { fetchSubscription: async () => subscription },
      events: { subscribe: () => () => {} },
      tokens: { set: () => {}, remove: () => {} },
      logger: { warn: () => {} },
      now: () => NOON,
      ...overrides,
    },
    { clock: new SimulatedClock() },
  );
  const signIn = () => tell({ type: "session.started", session: { user: ada, accessToken: "token-1" } });
  return { session, tell: (fact: SessionFact) => tell(fact), signIn };
}
