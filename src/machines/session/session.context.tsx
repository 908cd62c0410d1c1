import { useSelector } from "@xstate/react";
import { createContext, use, useMemo } from "react";
import type { SessionRef, SessionSnapshot } from "./session.machine.ts";

const Session = createContext<SessionRef | null>(null);

/** Hands the page's one session actor, which lives outside React, to the views. */
export const SessionProvider = Session.Provider;

function useSessionRef(): SessionRef {
  const session = use(Session);
  if (!session) throw new Error("useSession needs a SessionProvider above it");
  return session;
}

export const useSession = <T,>(selector: (snapshot: SessionSnapshot) => T): T => useSelector(useSessionRef(), selector);

/** What a person can do about the session from any screen. */
export function useSessionEvents() {
  const session = useSessionRef();
  return useMemo(
    () => ({
      logOut: () => session.send({ type: "session.end" }),
      refreshSubscription: () => session.send({ type: "subscription.refresh" }),
    }),
    [session],
  );
}
