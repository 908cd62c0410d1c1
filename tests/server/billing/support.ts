import path from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll } from "vitest";
import { createBilling } from "../../../server/billing/context.ts";
import { createSubscriptionGate } from "../../../server/billing/gate.ts";
import { customerOfEmail } from "../../../server/billing/customer.ts";
import { registerBilling } from "../../../server/billing/routes.ts";
import { startBilling } from "../../../server/billing/reconcile.ts";
import { createSandboxClock } from "../../../server/core/clock.ts";
import { setListeningPort } from "../../../server/core/config.ts";
import { registerErrorHandler } from "../../../server/core/errors.ts";
import { createRouter } from "../../../server/core/routes.ts";
import { requestsTo } from "../../support/requests.ts";
import { addAuthUser, openStore, partsOn, signInById } from "../../support/parts.ts";
import { registerBillingSandbox } from "../../../sandbox/billing/register.ts";
import { startCardProvider } from "../../../sandbox/billing/provider.ts";

export type User = { id: string; email: string };

/** Starts billing with its simulated provider. Only the sign-in is faked: a token is the user's id. */
async function startBillingServer(env: Record<string, string> = {}) {
  const store = await openStore();
  const logs: Record<string, unknown>[] = [];
  const sink = { write: (line: string) => void logs.push(JSON.parse(line) as Record<string, unknown>) };
  const clock = createSandboxClock(path.join(store.dataDir, "sandbox"));
  const logger = pino({ level: "info" }, sink);
  const deps = await partsOn(store, clock, { env: { PORT: "0", ...env }, logger });
  const { config, db } = deps;
  const provider = await startCardProvider({
    dir: store.dataDir,
    clock,
    work: store.work,
    webhookUrl: () => `${config.publicUrl}/webhooks/stripe`,
    webhookSecret: config.billing.webhookSecrets[0] ?? "",
    publicUrl: () => config.publicUrl,
  });
  const billing = createBilling(deps, provider);
  const app: FastifyInstance = Fastify({ forceCloseConnections: true });
  registerErrorHandler(app);
  const gate = createSubscriptionGate(deps);
  const users = new Map<string, User>();
  const authenticate = async (request: Parameters<typeof signInById>[0]) => {
    const caller = await signInById(request);
    return { ...caller, ...users.get(caller.id), sessionId: caller.id };
  };
  const route = createRouter(app, { authenticate, hasSubscription: gate.hasSubscription }, deps);
  registerBilling(route, app, billing);
  registerBillingSandbox(app, provider, {
    customerOf: (email) => customerOfEmail(billing, email),
    languages: deps.languages,
  });
  route({
    method: "GET",
    url: "/api/product",
    summary: "",
    id: "readProduct",
    tag: "Billing",
    gate: "subscribed",
    scope: "read",
    handler: async () => ({ open: true }),
  });
  const background = await startBilling(billing);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  setListeningPort(config, Number(new URL(url).port));

  const requests = requestsTo(url);
  const call = (user: User | null, method: string, to: string, body?: unknown) =>
    requests.call<Record<string, unknown>>(method, to, { token: user?.id, body, redirect: "manual" });

  return {
    url,
    deps,
    db,
    clock,
    provider,
    billing,
    gate,
    logs,
    call,
    idle: store.idle,
    /** Resolves when the provider's webhooks are processed. */
    async settle() {
      await provider.settle();
      await store.idle();
    },
    async addUser(email?: string): Promise<User> {
      const user = await addAuthUser(db, email);
      users.set(user.id, user);
      return user;
    },
    row: (user: User) => db.selectFrom("subscriptions").selectAll().where("user_id", "=", user.id).executeTakeFirst(),
    /** Opens a checkout and returns its session's id. */
    async checkout(user: User): Promise<string> {
      const { body } = await call(user, "POST", "/api/billing/checkout");
      return String(body["url"]).split("/").at(-1) ?? "";
    },
    pay: (session: string, body: Record<string, unknown> = {}) =>
      call(null, "POST", `/sandbox/billing/checkout/${session}/pay`, body),
    setSubscription: (user: User, body: Record<string, unknown>) =>
      call(null, "POST", `/sandbox/billing/subscriptions/${encodeURIComponent(user.email)}`, body),
    async stop() {
      await background.stop();
      await app.close();
      await provider.close();
      await store.close();
    },
  };
}

/** Starts billing for one test file and stops it after its tests. */
export async function ownBillingServer(env?: Record<string, string>) {
  const server = await startBillingServer(env);
  afterAll(() => server.stop());
  return server;
}
