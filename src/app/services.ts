import { createActor } from "xstate";
import type { Notifier } from "../machines/kit/page.ts";
import type { NotificationsRef } from "../machines/notifications/notifications.machine.ts";
import { createNotifier } from "../machines/notifications/notifier.ts";
import { type LeavingRef, isGuarding } from "../machines/leaving/leaving.machine.ts";
import { type SessionRef, createSession, refreshSubscription } from "../machines/session/session.machine.ts";
import { type Auth, createAuth } from "../services/auth.ts";
import { type Drafts, createDrafts, createTyped } from "../services/drafts.ts";
import { type ServerEvents, createServerEvents } from "../services/events.ts";
import { type Http, createHttp } from "../services/http.ts";
import { activateLocale, activeLocale, loadTexts } from "../language/activate.ts";
import { type LanguageStore, createLanguageStore } from "../language/store.ts";
import { type Logger, createLogger } from "../services/logger.ts";
import { createPageWork } from "../services/page-work.ts";
import { readStoredSession, sessionKeyOf } from "../services/session-store.ts";
import { type SafeStorage, createStorage } from "../services/storage.ts";
import { loadAuthClient } from "../services/supabase.ts";
import { createThemeStore } from "../services/theme.ts";
import { type Updates, createUpdates } from "../services/updates.ts";
import { startLeaving } from "./leaving.ts";

/** The services of the page, created once. Route modules pass them to the machines. */
export type Services = {
  http: Http;
  auth: Auth;
  events: ServerEvents;
  notifier: Notifier;
  notifications: NotificationsRef;
  session: SessionRef;
  /** Asks for confirmation before navigation discards unsaved changes. */
  leaving: LeavingRef;
  drafts: Drafts;
  storage: SafeStorage;
  sessionStorage: SafeStorage;
  language: LanguageStore;
  theme: ReturnType<typeof createThemeStore>;
  updates: Updates;
  clock: Clock;
  logger: Logger;
  /** The signed-in user's id; empty when signed out, which guarded screens never see. */
  userId: () => string;
  /** Reads the subscription again; resolves when it is known. */
  refreshSubscription: () => Promise<void>;
};

export function createServices(): Services {
  const clock: Clock = { now: () => Date.now() };
  const logger = createLogger();
  const storage = createStorage(() => window.localStorage);
  const storageKey = sessionKeyOf(window.location.hostname);
  const auth = createAuth({
    storage,
    storageKey,
    loadClient: (noteRefusal) => loadAuthClient(storageKey, storage, noteRefusal),
    logger,
    now: clock.now,
    origin: window.location.origin,
  });
  /** The first read was prefetched; the client for later reads is loaded on demand. */
  const fetchSubscription = async (userId: string, signal: AbortSignal) => {
    const { readOpenedSubscription } = await import("../services/subscription.ts");
    const opened = await readOpenedSubscription(userId, auth.accessToken(), signal);
    if (opened !== undefined) return opened;
    const { createOwnData } = await import("../services/data.ts");
    return createOwnData(auth).fetchSubscription(userId, signal);
  };
  const getSession = () => {
    const stored = readStoredSession(storage, storageKey);
    return stored && { userId: stored.user.id, accessToken: stored.accessToken };
  };
  const events = createServerEvents({ url: "/api/events", getSession, refresh: auth.refresh, logger });
  const { notifier, notifications } = createNotifier();
  const language = createLanguageStore({ storage, notifier, logger, activate: activateLocale, shown: activeLocale });
  const work = createPageWork();
  const updates = createUpdates({
    area: () => window.sessionStorage,
    notifier,
    isBusy: () => work.isBusy() || isGuarding(leaving),
    writesSettled: work.writesSettled,
    logger,
    now: clock.now,
    reload: () => window.location.reload(),
  });
  const session = createActor(
    createSession({ events, logger }, { auth, fetchSubscription, tokens: storage, now: clock.now }),
  ).start();
  // A sign-out ends the event stream; a sign-in opens the new user's.
  session.subscribe(events.follow);
  const http = createHttp({
    baseURL: "/api",
    getSession,
    refresh: auth.refresh,
    onWrite: work.onWrite,
    loadTexts: () => loadTexts("inside"),
    onSubscriptionRequired: () => session.send({ type: "reading.refresh" }),
  });
  const sessionStorage = createStorage(() => window.sessionStorage);
  const userId = () => session.getSnapshot().context.user?.id ?? "";
  const drafts = createDrafts(sessionStorage, userId);
  const typed = createTyped(sessionStorage);
  let [present, last] = ["", ""];
  session.subscribe((snapshot) => {
    const user = userId();
    if (snapshot.matches("signedOut")) language.expectUser();
    if (user !== "") typed.belongTo(user);
    // A failed check also shows the login, but the session and drafts are still there.
    else if (snapshot.matches("signedOut") && auth.accessToken() === null) typed.clear();
    if (user === present) return;
    present = user;
    // Undo ends at sign-out; messages stay until another user signs in.
    notifications.send({ type: "offer.dismiss" });
    if (user === "" || user === last) return;
    for (const type of ["toast.dismiss", "warning.dismiss"] as const) if (last !== "") notifications.send({ type });
    last = user;
  });
  const leaving = startLeaving({ notifier }, { logOut: () => session.send({ type: "session.end" }) });
  return {
    http,
    auth,
    events,
    notifier,
    notifications,
    session,
    leaving,
    drafts,
    storage,
    sessionStorage,
    language,
    theme: createThemeStore(storage, document.documentElement),
    updates,
    clock,
    logger,
    userId,
    refreshSubscription: () => refreshSubscription(session),
  };
}

/** The current time for machines and views, in milliseconds since 1970. */
export type Clock = { now: () => number };
