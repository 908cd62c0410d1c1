import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { pino } from "pino";
import {
  createBilling,
  createSubscriptionGate,
  customerOfEmail,
  registerBilling,
  startBilling,
} from "../../../server/billing/index.ts";
import { createWork } from "../../../server/core/work.ts";
import { createBus } from "../../../server/core/bus.ts";
import { createSandboxClock } from "../../../server/core/clock.ts";
import { readConfig, setListeningPort } from "../../../server/core/config.ts";
import type { Deps } from "../../../server/core/deps.ts";
import { registerErrorHandler } from "../../../server/core/errors.ts";
import { createJobs } from "../../../server/core/jobs.ts";
import { unauthorized } from "../../../server/core/problem.ts";
import { createRouter } from "../../../server/core/routes.ts";
import { openDatabase } from "../../../server/db/index.ts";
import { registerBillingSandbox, startCardProvider } from "../../../sandbox/billing/index.ts";
import { testDatabase } from "../../support/database.ts";
import { untilIdle } from "../../support/waiting.ts";

export type User = { id: string; email: string };
export type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

/** Billing with its simulated provider, listening. Only who calls is faked: a token is the user's id. */
export async function startBillingServer(env: Record<string, string> = {}) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-billing-"));
  const config = readConfig({ LEADLOOM_DATA: dataDir, LOG_LEVEL: "silent", PORT: "0", ...env });
  const clock = createSandboxClock(path.join(dataDir, "sandbox"));
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  const { db, engine } = opened;
  const logs: Record<string, unknown>[] = [];
  const sink = { write: (line: string) => void logs.push(JSON.parse(line) as Record<string, unknown>) };
  const logger = pino({ level: "info" }, sink);
  const bus = await createBus(db, engine, () => {});
  const work = createWork();
  const deps: Deps = {
    config,
    db,
    engine,
    clock,
    bus,
    logger,
    jobs: createJobs({ engine, clock, logger, work }, { runsWork: false }),
    work,
  };
  const provider = await startCardProvider({
    dir: dataDir,
    clock,
    work,
    webhookUrl: () => `${config.publicUrl}/webhooks/stripe`,
    webhookSecret: config.billing.webhookSecrets[0] ?? "",
    publicUrl: () => config.publicUrl,
  });
  const billing = createBilling(deps, provider);
  const app: FastifyInstance = Fastify({ forceCloseConnections: true });
  registerErrorHandler(app);
  const gate = createSubscriptionGate(deps);
  const users = new Map<string, User>();
  const authenticate = async ({ headers: { authorization } }: FastifyRequest) => {
    const user = users.get(authorization?.replace("Bearer ", "") ?? "");
    if (user === undefined) throw unauthorized();
    return { ...user, sessionId: user.id, claims: { sub: user.id, role: "authenticated" as const }, key: null };
  };
  const route = createRouter(app, { authenticate, hasSubscription: gate.hasSubscription }, deps);
  registerBilling(route, app, billing);
  registerBillingSandbox(app, provider, (email) => customerOfEmail(billing, email));
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

  const call = async (user: User | null, method: string, to: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}${to}`, {
      method,
      redirect: "manual",
      headers: {
        ...(user === null ? {} : { authorization: `Bearer ${user.id}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const parsed = isJson ? (JSON.parse(text) as Record<string, unknown>) : { text };
    return { status: response.status, body: parsed, headers: response.headers };
  };

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
    /** Resolves when all work that can be done at this time is done. */
    idle: () => untilIdle(work),
    async addUser(email = `${randomUUID()}@example.com`): Promise<User> {
      const user = { id: randomUUID(), email };
      users.set(user.id, user);
      await db.insertInto("auth.users").values({ id: user.id, email, encrypted_password: "none" }).execute();
      return user;
    },
    row: (user: User) => db.selectFrom("subscriptions").selectAll().where("user_id", "=", user.id).executeTakeFirst(),
    /** Opens a checkout and gives the id of its session. */
    async checkout(user: User): Promise<string> {
      const { body } = await call(user, "POST", "/api/billing/checkout");
      return String(body["url"]).split("/").at(-1) ?? "";
    },
    pay: (session: string, body: Record<string, unknown> = {}) =>
      call(null, "POST", `/sandbox/billing/checkout/${session}/pay`, body),
    lever: (user: User, body: Record<string, unknown>) =>
      call(null, "POST", `/sandbox/billing/subscriptions/${encodeURIComponent(user.email)}`, body),
    async stop() {
      await background.stop();
      await app.close();
      await provider.close();
      await opened.close();
      await database.drop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
export type BillingServer = Awaited<ReturnType<typeof startBillingServer>>;
