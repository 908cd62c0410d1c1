import { createMachineContext } from "../kit/context.tsx";
import { sessionMachine } from "./session.machine.ts";

const Session = createMachineContext(sessionMachine, (session) => ({
  logOut: () => session.send({ type: "session.end" }),
  refreshSubscription: () => session.send({ type: "reading.refresh" }),
  retryReading: () => session.send({ type: "reading.retry" }),
}));

/** Hands the page's one session actor, which lives outside React, to the views. */
export const SessionProvider = Session.ActorProvider;
export const useSession = Session.use;
/** What a person can do about the session from any screen. */
export const useSessionEvents = Session.useVerbs;
