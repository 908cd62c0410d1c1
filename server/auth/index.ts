import type { FastifyInstance } from "fastify";
import type { Deps, Running } from "../core/deps.ts";
import { sweepLimits } from "../core/limits.ts";
import { registerJsonParser } from "../core/json.ts";
import { registerAuthUser } from "./user-routes.ts";
import type { Authenticator } from "./authenticator.ts";
import { createAuthContext, createGuessLimits } from "./context.ts";
import { registerAuthProxy } from "./proxy.ts";
import { answerAuthProblem, refuseSignIn } from "./problem.ts";
import { sweepSessions } from "./sessions.ts";
import { registerSignIn } from "./sign-in.ts";

export { createCredentials, type Credentials } from "./credentials.ts";
export { createGuessLimits } from "./context.ts";
export { createAuthenticator, type Authenticator } from "./authenticator.ts";

/** Mounts /auth/v1: the embedded sign-in, or a proxy to Supabase's. */
export function registerAuth(app: FastifyInstance, deps: Deps, authenticate: Authenticator): void {
  const { auth } = deps.config;
  if (auth.kind === "supabase") return registerAuthProxy(app, deps, auth);
  const context = createAuthContext(deps, auth, authenticate, createGuessLimits(deps));
  app.register(
    async (scope) => {
      registerJsonParser(scope);
      scope.setErrorHandler(answerAuthProblem);
      scope.setNotFoundHandler(() => {
        throw refuseSignIn(404, "not_found");
      });
      scope.addHook("onClose", async () => context.mailer?.close());
      registerSignIn(scope, context);
      registerAuthUser(scope, context);
    },
    { prefix: "/auth/v1" },
  );
}

/** Deletes spent limits once a day; with the embedded sign-in also idle sessions and expired links. */
export function startAuth(deps: Pick<Deps, "config" | "db" | "clock" | "jobs">): Promise<Running> {
  deps.jobs.schedule("auth-sweep", "17 3 * * *", async () => {
    if (deps.config.auth.kind === "embedded") await sweepSessions(deps);
    await sweepLimits(deps);
  });
  return Promise.resolve({ stop: () => Promise.resolve() });
}
