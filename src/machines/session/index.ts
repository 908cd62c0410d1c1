import { type ActorOptions, createActor, waitFor } from "xstate";
import { createReporter } from "../kit/reporting.ts";
import { type SessionDeps, TOKEN_KEY, createSessionActors } from "./session.actors.ts";
import { type SessionRef, sessionMachine } from "./session.machine.ts";
import { selectIsFetching } from "./session.selectors.ts";

export { type SessionDeps, type SessionFact } from "./session.actors.ts";
export { SessionProvider, useSession, useSessionEvents } from "./session.context.tsx";
export { type SessionRef, sessionMachine } from "./session.machine.ts";
export * from "./session.selectors.ts";

/** The session chart with its outside parts in place. */
const createSession = (deps: SessionDeps) =>
  sessionMachine.provide({
    actors: createSessionActors(deps),
    actions: {
      storeToken: (_args, { session }) => deps.tokens.set(TOKEN_KEY, session.accessToken),
      removeToken: () => deps.tokens.remove(TOKEN_KEY),
      keepFresh: () => deps.auth.keepFresh(),
      reportFailure: createReporter(deps.logger),
    },
  });

/** Starts the page's one session actor; it begins with the session check. */
export const startSession = (deps: SessionDeps, options?: ActorOptions<typeof sessionMachine>): SessionRef =>
  createActor(createSession(deps), options).start();

/** Reads the subscription again and settles when it is known, or its reading has failed or takes more than 5 seconds. */
export async function refreshSubscription(session: SessionRef): Promise<void> {
  session.send({ type: "reading.refresh" });
  await waitFor(session, (snapshot) => !selectIsFetching(snapshot), { timeout: 5_000 }).catch(() => {});
}
