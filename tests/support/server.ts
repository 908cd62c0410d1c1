import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readConfig } from "../../server/core/config.ts";
import type { SandboxClock } from "../../server/core/clock.ts";
import type { Deps } from "../../server/core/deps.ts";
import { startServer } from "../../server/server.ts";
import { testDatabase } from "./database.ts";
import { createManualJobs } from "./manual-jobs.ts";
import { addSubscription, addUser, newPhone, type TestUser } from "./tenant.ts";
import { untilIdle } from "./waiting.ts";

export type { TestUser };

export type Answer<T = unknown> = { status: number; body: T; headers: Headers };

/** A complete server for a test: database, simulated Telegram network, simulated payment provider, HTTP on a free port. */
export type TestServer = {
  url: string;
  deps: Deps;
  clock: SandboxClock;
  dataDir: string;
  /** Sends a request; `body` is sent as JSON unless it is form data. */
  call<T = unknown>(
    method: string,
    path: string,
    options?: { token?: string | undefined; body?: unknown; headers?: Record<string, string> },
  ): Promise<Answer<T>>;
  signUp(email?: string): Promise<TestUser>;
  /** Resolves when all work that is due now is done: queues, deliveries, updates of the simulated network. */
  idle(): Promise<void>;
  subscribe(user: Pick<TestUser, "userId">): Promise<void>;
  /** Creates a user who has signed up and subscribed. */
  subscriber(email?: string): Promise<TestUser>;
  /** Connects a Telegram account by login code and waits until a worker holds it. */
  connect(user: TestUser, phone?: string): Promise<{ phone: string }>;
  /** Sends a message to the account; resolves when the lead shows it. */
  receive(
    phone: string,
    from: { first_name: string; user_id?: number; username?: string },
    text: string,
  ): Promise<{ user_id: number; message_id: number }>;
  /** Moves the clock at once and waits for the work that is due then. */
  advance(seconds: number): Promise<void>;
  /** Advances the clock second by second until the condition holds. @throws after ten minutes on that clock */
  passUntil<T>(ask: () => T | Promise<T>, isEnough: (answer: T) => boolean): Promise<T>;
  stop(): Promise<void>;
};

const PASS_SECONDS = 600;

export async function startTestServer(options: { env?: Record<string, string> } = {}): Promise<TestServer> {
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
  const idle = () => untilIdle(deps.work);
  if (clock === null) throw new Error("A test server needs a simulated part, for its clock.");

  const call: TestServer["call"] = async <T>(
    method: string,
    address: string,
    { token, body, headers = {} }: Parameters<TestServer["call"]>[2] = {},
  ) => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + address, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isForm ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true && text !== "";
    return { status: response.status, body: (isJson ? JSON.parse(text) : text) as T, headers: response.headers };
  };
  const must = async <T>(
    method: string,
    address: string,
    given: Parameters<TestServer["call"]>[2] = {},
  ): Promise<T> => {
    const answer = await call<T>(method, address, given);
    if (answer.status >= 300)
      throw new Error(`${method} ${address} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  const signUp: TestServer["signUp"] = (email) => addUser(deps, email);
  const subscribe: TestServer["subscribe"] = ({ userId }) => addSubscription(deps, userId);
  const advance: TestServer["advance"] = async (seconds) => {
    await must("POST", "/sandbox/clock", { body: { advance_seconds: seconds } });
    await idle();
  };
  return {
    url,
    deps,
    clock,
    dataDir,
    call,
    idle,
    signUp,
    subscribe,
    async subscriber(email) {
      const user = await signUp(email);
      await subscribe(user);
      return user;
    },
    async connect({ token }, phone = newPhone()) {
      await must("POST", "/api/telegram/send-code", { token, body: { phone } });
      const { login_code: code } = await must<{ login_code: string }>(
        "GET",
        `/sandbox/telegram/accounts/${encodeURIComponent(phone)}`,
      );
      await must("POST", "/api/telegram/verify-code", { token, body: { phone, code } });
      await idle();
      return { phone };
    },
    async receive(phone, from, text) {
      const sent = await must<{ user_id: number; message_id: number }>(
        "POST",
        `/sandbox/telegram/accounts/${encodeURIComponent(phone)}/receive`,
        { body: { from, text } },
      );
      await idle();
      return sent;
    },
    advance,
    async passUntil(ask, isEnough) {
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
