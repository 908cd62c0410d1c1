import { describe, expect, it, vi } from "vitest";
import { refreshSubscription, selectAccess } from "../../src/machines/session/session.machine.ts";
import type { AuthEvent } from "../../src/services/auth.ts";
import { english } from "../support/english.ts";
import { selectOutdated } from "../../src/machines/kit/loading.ts";
import { isCalling, walkEveryPath } from "../support/invariants.ts";
import { settle } from "../support/page.ts";
import { startFakeSession } from "../support/session.ts";
import { HOUR, NOON, ada, adaRenamed, ending, endless, sessionModel } from "./session.model.ts";

const signsIn = ["session.started", "recovery.started", "token.refreshed"];
const atOne = Date.parse("2026-11-21T13:00:00Z");

walkEveryPath(sessionModel, {
  checking: { after: ["start"], accepts: ["session.started", "recovery.started", "session.ended"] },
  signedOut: {
    after: ["session.ended", "after checkLimit", "done signOut", "error signOut"],
    accepts: signsIn,
    holds: ({ context, effects, calls }) => {
      expect(context).toEqual({ user: null, subscription: null, isChecked: false, judgedAt: 0, isRecovering: false });
      expect([effects["removeToken"], calls]).toEqual([null, {}]);
    },
  },
  signedIn: {
    accepts: [
      "session.end",
      "session.ended",
      "session.started",
      "recovery.started",
      "user.updated",
      "token.refreshed",
      "tab.shown",
    ],
    holds: ({ cause, event, before, context, effects }) => {
      expect(effects["storeToken"]).toEqual("session" in event ? { ...event } : undefined);
      expect("keepFresh" in effects).toEqual(cause === "tab.shown");
      const { user, subscription, judgedAt, isChecked, isRecovering } = context;
      const isNew = before.user?.id !== user?.id;
      if (cause !== "token.refreshed" && "session" in event) expect(user).toEqual(event.session.user);
      if (isNew) expect([user, subscription, isChecked, judgedAt]).toEqual([event.session.user, null, false, 0]);
      else if (cause === "tab.shown") expect(judgedAt).toEqual(event.at);
      else if (cause === "done fetchSubscription")
        expect([subscription, judgedAt, isChecked]).toEqual([event.output.subscription, NOON, true]);
      else if (cause !== "after accessSpan")
        expect([subscription, judgedAt, isChecked]).toEqual([before.subscription, before.judgedAt, before.isChecked]);
      const wasRecovering = !isNew && cause !== "user.updated" && before.isRecovering;
      expect(isRecovering).toEqual(cause === "recovery.started" || wasRecovering);
    },
  },
  "signedIn.access.unknown": {
    after: [...signsIn, "user.updated"],
    holds: ({ context }) => expect(context.isChecked).toEqual(false),
  },
  "signedIn.access.subscribed": {
    after: ["done fetchSubscription", "after accessSpan", "tab.shown"],
    holds: ({ context: { isChecked, subscription, judgedAt } }) => {
      expect([isChecked, subscription?.status]).toEqual([true, "active"]);
      if (subscription?.expires_at) expect(judgedAt).toBeLessThan(atOne);
    },
  },
  "signedIn.access.unsubscribed": {
    after: ["done fetchSubscription", "after accessSpan", "tab.shown"],
    holds: ({ context: { isChecked, subscription, judgedAt } }) => {
      expect(isChecked).toEqual(true);
      if (subscription !== null) expect([subscription, judgedAt >= atOne]).toEqual([ending, true]);
    },
  },
  "signedIn.subscription": {
    accepts: ["reading.refresh"],
    holds: ({ context, calls }) =>
      expect([{}, { fetchSubscription: { userId: context.user?.id } }]).toContainEqual(calls),
  },
  "signedIn.subscription.loading": { holds: ({ calls }) => expect(calls).not.toEqual({}) },
  "signedIn.subscription.loading.waiting": { after: [...signsIn, "user.updated", "reading.refresh", "reading.retry"] },
  "signedIn.subscription.loading.late": { after: ["after checkLimit"], accepts: ["reading.retry"] },
  "signedIn.subscription.loadFailed": { after: ["error fetchSubscription"], accepts: ["reading.retry"] },
  "signedIn.subscription.shown.current": { after: ["done fetchSubscription"] },
  "signedIn.subscription.shown.refreshing": {
    after: ["reading.refresh", "reading.retry", "user.updated", "session.started"],
    holds: ({ calls }) => expect(calls).not.toEqual({}),
  },
  "signedIn.subscription.shown.outdated": { after: ["error fetchSubscription"], accepts: ["reading.retry"] },
  signingOut: { after: ["session.end"], accepts: ["session.ended"], holds: isCalling("signOut") },
});

type Overrides = { fetchSubscription?: () => Promise<typeof endless | null>; signOut?: () => Promise<void> };

function start({ fetchSubscription = async () => endless, signOut = async () => {} }: Overrides = {}) {
  const stored = new Map<string, string>();
  const seen = { fetches: [] as string[], renewals: 0 };
  const { session, clock, page, report } = startFakeSession(null, {
    auth: { signOut, keepFresh: () => void (seen.renewals += 1) },
    fetchSubscription: (userId) => (seen.fetches.push(userId), fetchSubscription()),
    tokens: { set: (key, value) => void stored.set(key, value), remove: (key) => void stored.delete(key) },
    now: () => NOON + clock.now(),
  });
  return {
    session,
    clock,
    page,
    stored,
    seen,
    access: () => selectAccess(session.getSnapshot()),
    report: (fact: AuthEvent) => (report(fact), settle()),
  };
}

async function signIn(overrides: Overrides = {}) {
  const fake = start(overrides);
  await fake.report({ type: "session.started", session: ada });
  return fake;
}

describe("a session", () => {
  it("waits for the subscription, then gives access", async () => {
    const { report, access, stored, seen } = start();
    expect(access()).toEqual("checking");
    const handled = report({ type: "session.started", session: ada });
    expect(access()).toEqual("checking");
    await handled;
    expect([access(), stored.get("sb_token"), seen.fetches]).toEqual(["subscribed", "token-1", ["ada"]]);
  });

  it("ends its first check after 5 s, and gives access on a late response", async () => {
    const accessAfter = ({ clock, access }: ReturnType<typeof start>, milliseconds: number) => {
      clock.increment(milliseconds);
      return access();
    };
    const silent = start();
    expect([accessAfter(silent, 4_999), accessAfter(silent, 1)]).toEqual(["checking", "signedOut"]);
    const answer = Promise.withResolvers<typeof endless>();
    const slow = await signIn({ fetchSubscription: () => answer.promise });
    expect([accessAfter(slow, 4_999), accessAfter(slow, 1)]).toEqual(["checking", "unchecked"]);
    answer.resolve(endless);
    await settle();
    expect(slow.access()).toEqual("subscribed");
  });

  it("logs a failed load of the subscription silently, and keeps an earlier one", async () => {
    let answer = (): Promise<typeof endless> => Promise.reject(new Error("503"));
    const { session, access, page } = await signIn({ fetchSubscription: () => answer() });
    expect([access(), page.logged, page.notices]).toEqual(["unchecked", ["fetchSubscription failed"], []]);
    answer = async () => endless;
    session.send({ type: "reading.retry" });
    expect(access()).toEqual("checking");
    await settle();
    expect(access()).toEqual("subscribed");
    answer = () => Promise.reject(new Error("503"));
    await refreshSubscription(session);
    expect(access()).toEqual("subscribed");
    expect(selectOutdated(session.getSnapshot())?.map(english)).toEqual(["your subscription"]);
  });

  it("stores every token, and reloads the subscription when a relevant field changes", async () => {
    const { report, stored, seen } = await signIn();
    await report({ type: "session.started", session: { ...ada, accessToken: "token-9" } });
    await report({ type: "token.refreshed", session: { ...ada, accessToken: "token-10" } });
    expect([stored.get("sb_token"), seen.fetches]).toEqual(["token-10", ["ada"]]);
    await report({ type: "user.updated", session: adaRenamed });
    expect(seen.fetches).toEqual(["ada", "ada"]);
  });

  it("is signed out at once on logout, even when the server is unreachable", async () => {
    const { report, access, session, page, stored } = await signIn({
      signOut: () => Promise.reject(new Error("offline")),
    });
    session.send({ type: "session.end" });
    expect(access()).toEqual("signedOut");
    await report({ type: "session.started", session: ada });
    expect([access(), page.logged, stored.has("sb_token")]).toEqual(["signedOut", ["the sign-out failed"], false]);
  });

  it.each([
    { what: "keeps access until its expiry", subscription: ending, later: HOUR - 1, access: "subscribed" },
    { what: "loses access when its expiry passes", subscription: ending, later: HOUR, access: "unsubscribed" },
    { what: "keeps access without an expiry", subscription: endless, later: 365 * 24 * HOUR, access: "subscribed" },
  ])("$what while the tab is open", async ({ subscription, later, access }) => {
    const session = await signIn({ fetchSubscription: async () => subscription });
    session.clock.increment(later);
    expect(session.access()).toEqual(access);
  });

  it("checks access again and refreshes the token when the tab becomes visible after a sleep", async () => {
    const { access, session, seen, clock } = await signIn({ fetchSubscription: async () => ending });
    const visibility = vi.spyOn(document, "visibilityState", "get");
    const show = (state: DocumentVisibilityState) => {
      visibility.mockReturnValue(state);
      document.dispatchEvent(new Event("visibilitychange"));
      return [session.getSnapshot().context.judgedAt - NOON, seen.renewals];
    };
    clock.increment(HOUR / 2);
    expect([...show("hidden"), ...show("visible")]).toEqual([0, 0, HOUR / 2, 1]);
    expect(access()).toEqual("subscribed");
    session.send({ type: "tab.shown", at: NOON + 2 * HOUR });
    expect(access()).toEqual("unsubscribed");
    session.stop();
    expect(show("visible")).toEqual([2 * HOUR, 2]);
  });

  it("gives access at once on an event about a changed subscription", async () => {
    let current: typeof endless | null = null;
    const { access, page, session } = await signIn({ fetchSubscription: async () => current });
    expect(access()).toEqual("unsubscribed");
    current = endless;
    page.publish("subscription.changed");
    await settle();
    expect(access()).toEqual("subscribed");
    session.send({ type: "session.end" });
    expect(page.hasListeners()).toEqual(false);
  });
});
