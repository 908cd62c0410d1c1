import { SimulatedClock, createActor } from "xstate";
import type { Subscription } from "../../domain/subscription.ts";
import { type SessionParts, createSession } from "../../src/machines/session/session.machine.ts";
import type { AuthEvent } from "../../src/services/auth.ts";
import { fakePage } from "./page.ts";

export const NOON = Date.parse("2026-11-21T12:00:00Z");
export const ada = { id: "3f0c8a51-7c1e-4a52-9a44-0c3f6d1f0a01", email: "ada@example.com" };

type FakeParts = Partial<Omit<SessionParts, "auth">> & { auth?: Partial<SessionParts["auth"]> };

/** Creates a session with the given subscription, at noon. `tell` sends it events of the sign-in service. */
export function startFakeSession(subscription: Subscription | null, { auth, ...parts }: FakeParts = {}) {
  let report: (fact: AuthEvent) => void = () => {};
  const clock = new SimulatedClock();
  const page = fakePage();
  const logic = createSession(page, {
    auth: {
      subscribe: (listener) => {
        report = listener;
        return () => {};
      },
      signOut: async () => {},
      keepFresh: () => {},
      ...auth,
    },
    fetchSubscription: async () => subscription,
    tokens: { set: () => {}, remove: () => {} },
    now: () => NOON,
    ...parts,
  });
  const session = createActor(logic, { clock }).start();
  const signIn = () => report({ type: "session.started", session: { user: ada, accessToken: "token-1" } });
  return { session, page, clock, report: (fact: AuthEvent) => report(fact), signIn };
}
