import { describe, expect, it, vi } from "vitest";
import { SimulatedClock, waitFor } from "xstate";
import {
  type SessionDeps,
  type SessionFact,
  refreshSubscription,
  selectAccess,
  selectIsFetching,
  sessionMachine,
  startSession,
} from "../../src/machines/session/index.ts";
import { selectOutdated } from "../../src/machines/kit/reading.ts";
import type { SessionSnapshot } from "../../src/machines/session/session.machine.ts";
import type { Invariants } from "../support/invariants.ts";
import { isCalling } from "../support/reading-invariants.ts";
import { walkEveryPath } from "../support/walk-suite.ts";
import { HOUR, NOON, ada, adaRenamed, bob, ending, endless, sessionModel } from "./session.model.ts";

const signsIn = ["session.started", "recovery.started", "token.refreshed"];
const atOne = Date.parse("2026-11-21T13:00:00Z");

const invariants: Invariants<typeof sessionMachine> = {
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
  "signedIn.subscription.unread": { after: ["error fetchSubscription"], accepts: ["reading.retry"] },
  "signedIn.subscription.shown.current": { after: ["done fetchSubscription"] },
  "signedIn.subscription.shown.refreshing": {
    after: ["reading.refresh", "reading.retry", "user.updated", "session.started"],
    holds: ({ calls }) => expect(calls).not.toEqual({}),
  },
  "signedIn.subscription.shown.outdated": { after: ["error fetchSubscription"], accepts: ["reading.retry"] },
  signingOut: { after: ["session.end"], accepts: ["session.ended"], holds: isCalling("signOut") },
};

walkEveryPath(sessionMachine, sessionModel, invariants);

const setUp = (
  overrides: { fetchSubscription?: SessionDeps["data"]["fetchSubscription"]; signOut?: () => Promise<void> } = {},
) => {
  const clock = new SimulatedClock();
  const stored = new Map<string, string>();
  const seen = { fetches: [] as string[], warnings: [] as string[], keptFresh: 0 };
  let tell: (fact: SessionFact) => void = () => {};
  let tellSubscription = () => {};
  const session = startSession(
    {
      auth: {
        subscribe: (listener) => {
          tell = listener;
          return () => {};
        },
        signOut: overrides.signOut ?? (async () => {}),
        keepFresh: () => {
          seen.keptFresh += 1;
        },
      },
      data: {
        fetchSubscription: (userId, signal) => {
          seen.fetches.push(userId);
          return (overrides.fetchSubscription ?? (async () => endless))(userId, signal);
        },
      },
      events: {
        subscribe: (_type, listener) => {
          tellSubscription = listener;
          return () => {};
        },
      },
      tokens: { set: (key, value) => void stored.set(key, value), remove: (key) => void stored.delete(key) },
      logger: { warn: (what) => void seen.warnings.push(what) },
      now: () => NOON + clock.now(),
    },
    { clock },
  );
  const access = () => selectAccess(session.getSnapshot());
  const settles = (test: (snapshot: SessionSnapshot) => boolean) => waitFor(session, test);
  return {
    session,
    clock,
    stored,
    seen,
    access,
    settles,
    tell: (fact: SessionFact) => tell(fact),
    tellSubscription: () => tellSubscription(),
  };
};
const isSettled = (snapshot: SessionSnapshot) => snapshot.matches("signedIn") && !selectIsFetching(snapshot);

describe("a session", () => {
  it("stays in its check until the subscription is known, then gives access", async () => {
    const { tell, access, settles, stored, seen } = setUp();
    expect(access()).toEqual("checking");
    tell({ type: "session.started", session: ada });
    expect(access()).toEqual("checking");
    await settles(isSettled);
    expect(access()).toEqual("subscribed");
    expect(stored.get("sb_token")).toEqual("token-1");
    expect(seen.fetches).toEqual(["ada"]);
  });

  it("ends its first check within 5 seconds when nobody answers", () => {
    const silentAuth = setUp();
    silentAuth.clock.increment(4_999);
    expect(silentAuth.access()).toEqual("checking");
    silentAuth.clock.increment(1);
    expect(silentAuth.access()).toEqual("signedOut");

    const silentData = setUp({ fetchSubscription: () => new Promise(() => {}) });
    silentData.tell({ type: "session.started", session: ada });
    silentData.clock.increment(4_999);
    expect(silentData.access()).toEqual("checking");
    silentData.clock.increment(1);
    expect(silentData.access()).toEqual("unchecked");
  });

  it("gives access when a slow lookup is answered after all", async () => {
    const { promise, resolve } = Promise.withResolvers<typeof endless>();
    const { tell, access, settles, clock } = setUp({ fetchSubscription: () => promise });
    tell({ type: "session.started", session: ada });
    clock.increment(60_000);
    expect(access()).toEqual("unchecked");
    resolve(endless);
    await settles(isSettled);
    expect(access()).toEqual("subscribed");
  });

  it("logs a subscription that could not be read, says nothing of it, and reads it again on demand", async () => {
    let answer = (): Promise<typeof endless> => Promise.reject(new Error("503"));
    const { session, tell, access, settles, seen } = setUp({ fetchSubscription: () => answer() });
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    expect(access()).toEqual("unchecked");
    expect(seen.warnings).toEqual(["your subscription could not be read"]);
    answer = async () => endless;
    session.send({ type: "reading.retry" });
    expect(access()).toEqual("checking");
    await settles(isSettled);
    expect(access()).toEqual("subscribed");
  });

  it("reads the subscription again only when a relevant field of the user changed", async () => {
    const { tell, settles, seen } = setUp();
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    tell({ type: "session.started", session: { ...ada, accessToken: "token-9" } });
    tell({ type: "token.refreshed", session: { ...ada, accessToken: "token-10" } });
    expect(seen.fetches).toEqual(["ada"]);
    tell({ type: "user.updated", session: adaRenamed });
    await settles(isSettled);
    expect(seen.fetches).toEqual(["ada", "ada"]);
  });

  it("only stores the token when it is refreshed", async () => {
    const { tell, settles, stored, session } = setUp();
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    const before = session.getSnapshot().value;
    tell({ type: "token.refreshed", session: { ...ada, accessToken: "token-10" } });
    expect(stored.get("sb_token")).toEqual("token-10");
    expect(session.getSnapshot().value).toEqual(before);
  });

  it("clears the user, the subscription and the stored token when it ends in any tab", async () => {
    const { tell, access, settles, stored, session } = setUp();
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    tell({ type: "session.ended" });
    expect(access()).toEqual("signedOut");
    expect(stored.has("sb_token")).toEqual(false);
    expect(session.getSnapshot().context).toEqual({
      user: null,
      subscription: null,
      isChecked: false,
      judgedAt: 0,
      isRecovering: false,
    });
  });

  it("counts as signed out the moment someone logs out, and stays so when the server cannot be told", async () => {
    const { tell, access, settles, seen, session } = setUp({ signOut: () => Promise.reject(new Error("offline")) });
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    session.send({ type: "session.end" });
    expect(access()).toEqual("signedOut");
    tell({ type: "session.started", session: ada });
    await settles((snapshot) => snapshot.matches("signedOut"));
    expect(seen.warnings).toEqual(["the sign-out failed"]);
  });

  it("loses access when its expiry passes while the tab is open", async () => {
    const { tell, access, settles, clock } = setUp({ fetchSubscription: async () => ending });
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    clock.increment(HOUR - 1);
    expect(access()).toEqual("subscribed");
    clock.increment(1);
    expect(access()).toEqual("unsubscribed");
  });

  it("keeps access through a year without an expiry", async () => {
    const { tell, access, settles, clock } = setUp();
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    clock.increment(365 * 24 * HOUR);
    expect(access()).toEqual("subscribed");
  });

  it("checks access again and refreshes the token when the tab becomes visible after a sleep", async () => {
    const { tell, access, settles, session, seen, clock } = setUp({ fetchSubscription: async () => ending });
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    const visibility = vi.spyOn(document, "visibilityState", "get");
    const show = (state: DocumentVisibilityState) => {
      visibility.mockReturnValue(state);
      document.dispatchEvent(new Event("visibilitychange"));
      return [session.getSnapshot().context.judgedAt - NOON, seen.keptFresh];
    };
    clock.increment(HOUR / 2);
    expect(show("hidden")).toEqual([0, 0]);
    expect(show("visible")).toEqual([HOUR / 2, 1]);
    expect(access()).toEqual("subscribed");
    session.send({ type: "tab.shown", at: NOON + 2 * HOUR });
    expect(access()).toEqual("unsubscribed");
    session.stop();
    expect(show("visible")).toEqual([2 * HOUR, 2]);
  });

  it("gives access at once when the server tells of a changed subscription", async () => {
    let current: typeof endless | null = null;
    const { tell, access, settles, tellSubscription } = setUp({ fetchSubscription: async () => current });
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    expect(access()).toEqual("unsubscribed");
    current = endless;
    tellSubscription();
    await settles((snapshot) => snapshot.matches({ signedIn: { access: "subscribed" } }));
    expect(access()).toEqual("subscribed");
  });

  it("keeps what it knows when a later reading fails", async () => {
    let answer = async () => endless;
    const { tell, access, settles, session } = setUp({ fetchSubscription: () => answer() });
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    answer = () => Promise.reject(new Error("503"));
    await refreshSubscription(session);
    expect(access()).toEqual("subscribed");
    expect(selectOutdated(session.getSnapshot())).toEqual("your subscription");
  });

  it("shows nothing of the former user while another one's subscription is read", async () => {
    const { tell, access, settles, session } = setUp();
    tell({ type: "session.started", session: ada });
    await settles(isSettled);
    tell({ type: "session.started", session: bob });
    expect(access()).toEqual("checking");
    expect(session.getSnapshot().context).toMatchObject({ user: bob.user, subscription: null });
  });

  it("starts over when a recovery link opens another user's account", async () => {
    const { tell, access, settles, session, seen } = setUp();
    tell({ type: "session.started", session: bob });
    await settles(isSettled);
    tell({ type: "recovery.started", session: ada });
    expect(access()).toEqual("checking");
    expect(session.getSnapshot().context).toMatchObject({ user: ada.user, subscription: null, isRecovering: true });
    await settles(isSettled);
    tell({ type: "session.started", session: bob });
    await settles(isSettled);
    expect(session.getSnapshot().context).toMatchObject({ user: bob.user, isRecovering: false });
    expect(seen.fetches).toEqual(["bob", "ada", "bob"]);
  });
});
