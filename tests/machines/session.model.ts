import { createSession } from "../../src/machines/session/session.machine.ts";
import { fakePage } from "../support/page.ts";
import { subscriptionWith } from "../support/subscriptions.ts";
import { done, modelOf, notCalled } from "../support/model.ts";

export const NOON = Date.parse("2026-11-21T12:00:00Z");
export const HOUR = 3_600_000;
export const ada = { user: { id: "ada", email: "ada@example.com" }, accessToken: "token-1" };
export const adaRenamed = { user: { id: "ada", email: "countess@example.com" }, accessToken: "token-2" };
const bob = { user: { id: "bob", email: "bob@example.com" }, accessToken: "token-3" };
export const endless = subscriptionWith({ status: "active" });
export const ending = subscriptionWith({ status: "active", expires_at: "2026-11-21T13:00:00Z" });

const sessionMachine = createSession(fakePage(), {
  auth: { subscribe: () => () => {}, signOut: async () => {}, keepFresh: () => {} },
  fetchSubscription: notCalled,
  tokens: { set: () => {}, remove: () => {} },
  now: () => NOON,
}).provide({ delays: { accessSpan: HOUR } });

export const sessionModel = modelOf(sessionMachine, {
  events: [
    { type: "session.started", session: ada },
    { type: "session.started", session: adaRenamed },
    { type: "session.started", session: bob },
    { type: "user.updated", session: adaRenamed },
    { type: "token.refreshed", session: ada },
    { type: "recovery.started", session: ada },
    { type: "tab.shown", at: NOON + 1_000 },
    ...done(
      "fetchSubscription",
      { subscription: endless, at: NOON },
      { subscription: ending, at: NOON },
      { subscription: null, at: NOON },
    ),
  ],
  project: ({ value, context }) => [value, context.user, context.subscription, context.isChecked, context.isRecovering],
  // Access lasts an hour or more, so no load is still pending when it ends.
  allow: (snapshot, { type }) =>
    !(type.startsWith("xstate.after.accessSpan") && (snapshot.hasTag("loading") || snapshot.hasTag("refreshing"))),
  delays: { checkLimit: 5_000, accessSpan: HOUR },
  secrets: /token-/,
});
