import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll } from "vitest";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { createAuthenticator, registerAuth } from "../../server/auth/index.ts";
import { createSubscriptionGate } from "../../server/billing/gate.ts";
import { createClock } from "../../server/core/clock.ts";
import { readConfig } from "../../server/core/config.ts";
import type { Deps } from "../../server/core/deps.ts";
import { registerErrorHandler } from "../../server/core/errors.ts";
import { registerRest } from "../../server/rest/index.ts";
import { openStore, partsOn } from "./parts.ts";
import { fixedClock } from "./fixed-clock.ts";
import { untilIdle } from "./waiting.ts";

export const ANON_KEY = "leadloom-anon";
export const PASSWORD = "correct horse battery";

/** A clock that runs in real time, plus the offset that a test adds. */
export function movableClock() {
  const clock = createClock();
  return { ...clock, advance: (seconds: number) => clock.jump(seconds * 1000) };
}

/** Starts only the sign-in and row access, on loopback. `extend` adds more routes. */
export async function startAuthServer(
  options: {
    env?: Record<string, string>;
    extend?: (app: FastifyInstance, deps: Deps) => void | Promise<void>;
    share?: Deps;
  } = {},
) {
  const clock = fixedClock();
  const store = options.share === undefined ? await openStore() : null;
  const deps: Deps =
    store === null
      ? { ...(options.share as Deps), config: readConfig({ LOG_LEVEL: "silent", ...options.env }) }
      : await partsOn(store, clock, { env: options.env });
  const loggerInstance: FastifyBaseLogger = deps.logger;
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  });
  registerErrorHandler(app);
  const authenticate = createAuthenticator(deps);
  registerAuth(app, deps, authenticate);
  registerRest(app, deps, {
    authenticate: ({ headers }) => authenticate(headers.authorization),
    ...createSubscriptionGate(deps),
  });
  await options.extend?.(app, deps);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    url,
    app,
    deps,
    clock,
    authenticate,
    /** Resolves when all work that is due now is done. */
    idle: () => untilIdle(deps.work),
    client: () => supabase(url),
    /** Posts JSON to a call of the sign-in. */
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${url}/auth/v1${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    async stop() {
      await app.close();
      await store?.close();
    },
  };
}
export type AuthServer = Awaited<ReturnType<typeof startAuthServer>>;

/** Starts only the sign-in for one test file and stops it after its tests. */
export async function ownAuthServer(options?: Parameters<typeof startAuthServer>[0]): Promise<AuthServer> {
  const server = await startAuthServer(options);
  afterAll(() => server.stop());
  return server;
}

/** Returns a supabase-js client as in a browser tab, with its session in memory. */
export const supabase = (url: string, key = ANON_KEY): SupabaseClient =>
  createClient(url, key, { auth: { autoRefreshToken: false, persistSession: false, detectSessionInUrl: false } });

let people = 0;
/** Returns an unused e-mail address. */
export const freshEmail = (name = "ann"): string => `${name}.${process.pid}.${(people += 1)}@example.com`;

/** Signs up a new user; the client is then signed in as that user. */
export async function signUp(server: { url: string }, email = freshEmail()) {
  const client = supabase(server.url);
  const { data, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { name: "Ann Lee" } },
  });
  if (error !== null) throw error;
  if (data.user === null || data.session === null) throw new Error("sign-up gave no session");
  return { client, email, userId: data.user.id, session: data.session };
}
