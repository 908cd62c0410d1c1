import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { readConfig } from "../../server/core/config.ts";
import { startServer } from "../../server/server.ts";
import { testDatabase } from "./database.ts";
import { createManualJobs } from "./manual-jobs.ts";
import { requestsTo } from "./requests.ts";
import { addSubscription, addUser, newPhone } from "./tenant.ts";
import { untilIdle } from "./waiting.ts";

const PASS_SECONDS = 600;

/** Starts a complete server for a test: database, simulated Telegram network, simulated payment provider, HTTP on a free port. */
export async function startTestServer(options: { env?: Record<string, string> } = {}) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-test-"));
  const database = await testDatabase();
  const config = readConfig({
    LEADLOOM_DATA: dataDir,
    PORT: "0",
    LOG_LEVEL: process.env["LOG_LEVEL"] ?? "error",
    // The test shares the event loop with the server, so its own work would trigger load shedding.
    SHED_ABOVE_MS: "0",
    ...options.env,
  });
  const server = await startServer(config, { database: database.options, createJobs: createManualJobs });
  const { url, deps, clock } = server;
  if (clock === null) throw new Error("A test server needs a simulated part, for its clock.");

  /** Resolves when all work that is due now is done: queues, deliveries, updates of the simulated network. */
  const idle = () => untilIdle(deps.work);
  const { call, must } = requestsTo(url);
  /** Calls the simulated Telegram account of a phone: GET without a body, else POST. @throws for a refusal */
  const sandbox = <T = unknown>(
    phone: string,
    address = "",
    body?: unknown,
    method = body === undefined ? "GET" : "POST",
  ) => must<T>(method, `/sandbox/telegram/accounts/${encodeURIComponent(phone)}${address}`, { body });
  /** Creates a user with a session. `call` sends a request of the user to the API. */
  const signUp = async (email?: string) => {
    const user = await addUser(deps, email);
    return Object.assign(user, {
      call: <T = unknown>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
        call<T>(method, `/api${path}`, { token: user.token, body, headers }),
    });
  };
  const subscribe = ({ userId }: { userId: string }) => addSubscription(deps, userId);
  /** Moves the clock at once and waits for the work that is due then. */
  const advance = async (seconds: number) => {
    await must("POST", "/sandbox/clock", { body: { advance_seconds: seconds } });
    await idle();
  };
  return {
    url,
    deps,
    clock,
    dataDir,
    call,
    must,
    sandbox,
    idle,
    signUp,
    subscribe,
    advance,
    /** Creates a user who has signed up and subscribed. */
    async subscriber(email?: string) {
      const user = await signUp(email);
      await subscribe(user);
      return user;
    },
    /** Changes the user's subscription at the simulated card provider. */
    async bill({ email }: { email: string }, subscription: object) {
      await must("POST", `/sandbox/billing/subscriptions/${encodeURIComponent(email)}`, { body: subscription });
      await idle();
    },
    /** Signs the user in again: an access token expires after an hour. */
    async renew(user: { email: string; password: string; token: string }) {
      const given = { body: { email: user.email, password: user.password } };
      const session = await must<{ access_token: string }>("POST", "/auth/v1/token?grant_type=password", given);
      user.token = session.access_token;
    },
    /** Connects a Telegram account by login code and waits until a worker holds it. */
    async connect({ token }: { token: string }, phone = newPhone()) {
      await must("POST", "/api/telegram/send-code", { token, body: { phone } });
      const { login_code: code } = await sandbox<{ login_code: string }>(phone);
      await must("POST", "/api/telegram/verify-code", { token, body: { phone, code } });
      await idle();
      return { phone };
    },
    /** Sends a message to the account; resolves when the lead shows it. */
    async receive(phone: string, from: { first_name: string; user_id?: number; username?: string }, text: string) {
      const sent = await sandbox<{ user_id: number; message_id: number }>(phone, "/receive", { from, text });
      await idle();
      return sent;
    },
    /** Advances the clock second by second until the condition holds. @throws after ten minutes on that clock */
    async passUntil<T>(ask: () => T | Promise<T>, isEnough: (answer: T) => boolean): Promise<T> {
      await idle();
      for (let second = 0; ; second += 1) {
        const answer = await ask();
        if (isEnough(answer)) return answer;
        if (second === PASS_SECONDS)
          throw new Error(`The condition was never met. Last response: ${JSON.stringify(answer)}`);
        await advance(1);
      }
    },
    async stop() {
      await server.stop();
      await database.drop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
export type TestServer = Awaited<ReturnType<typeof startTestServer>>;
export type TestUser = Awaited<ReturnType<TestServer["signUp"]>>;

const shared = new Map<string, Promise<TestServer>>();

/**
 * Returns the server with these settings that the test files of a worker share. Each test uses its own users. A file that moves the clock
 * by days, or changes server parts or whole tables, uses `ownServer`.
 */
export function sharedServer(env: Record<string, string> = {}): Promise<TestServer> {
  const name = JSON.stringify(env);
  const server = shared.get(name) ?? startTestServer({ env });
  shared.set(name, server);
  return server;
}

/** Starts a server for one test file and stops it after its tests. */
export async function ownServer(env: Record<string, string> = {}): Promise<TestServer> {
  const server = await startTestServer({ env });
  afterAll(() => server.stop());
  return server;
}
