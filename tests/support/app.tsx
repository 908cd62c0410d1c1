import { SimulatedClock } from "xstate";
import { App } from "../../src/app/App.tsx";
import { startLeaving } from "../../src/app/leaving.ts";
import type { Services } from "../../src/app/services.ts";
import { createNotifier } from "../../src/machines/notifications/notifier.ts";
import type { SessionRef } from "../../src/machines/session/session.machine.ts";
import { createDrafts } from "../../src/services/drafts.ts";
import { activeLocale } from "../../src/language/activate.ts";
import { createLanguageStore } from "../../src/language/store.ts";
import { createStorage } from "../../src/services/storage.ts";
import { createThemeStore } from "../../src/services/theme.ts";
import { NOON, ada } from "./session.ts";

/** Returns the page's services for a session. Calls that `overrides` does not give never answer. */
export function servicesOver(session: SessionRef, overrides: Partial<Services> = {}): Services {
  const hang = () => new Promise<never>(() => {});
  const storage = createStorage(() => window.localStorage);
  const sessionStorage = createStorage(() => window.sessionStorage);
  const notifications = createNotifier({ clock: new SimulatedClock() });
  return {
    http: Object.assign(hang, { raw: hang }),
    auth: {
      linkProblem: null,
      subscribe: () => () => {},
      storedUserId: () => ada.id,
      accessToken: () => "token-1",
      refresh: hang,
      keepFresh: () => {},
      warmUp: () => {},
      signIn: hang,
      signUp: hang,
      signOut: hang,
      requestPasswordReset: hang,
      updatePassword: hang,
    },
    events: { subscribe: () => () => {} },
    ...notifications,
    session,
    leaving: startLeaving(notifications, { logOut: () => session.send({ type: "session.end" }) }),
    drafts: createDrafts(sessionStorage, () => ada.id),
    storage,
    sessionStorage,
    language: createLanguageStore({
      storage,
      notifier: notifications.notifier,
      logger: { warn: () => {} },
      // A page of an earlier test still hears a language that another tab chose.
      activate: async () => {},
      shown: activeLocale,
    }),
    theme: createThemeStore(storage, document.documentElement),
    updates: {
      recover: async () => "unreachable",
      recoverQuietly: async () => "unreachable",
      announceReload: () => {},
    },
    clock: { now: () => NOON },
    logger: { warn: () => {} },
    userId: () => ada.id,
    refreshSubscription: async () => {},
    ...overrides,
  };
}

/** The whole page over the given services; the browser and the server are simulated. */
export const AppOver = ({ services }: { services: Services }) => (
  <App services={services} sandboxParts={["telegram", "billing"]} />
);
