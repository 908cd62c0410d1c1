import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import Fastify from "fastify";
import { type Logger, pino } from "pino";
import { onTestFinished } from "vitest";
import { createWork, type ProcessWork } from "../../../server/core/work.ts";
import { createBus } from "../../../server/core/bus.ts";
import { readConfig } from "../../../server/core/config.ts";
import type { Deps } from "../../../server/core/deps.ts";
import { registerErrorHandler } from "../../../server/core/errors.ts";
import { createJobs } from "../../../server/core/jobs.ts";
import { subscriptionRequired, unauthorized } from "../../../server/core/problem.ts";
import { createRouter } from "../../../server/core/routes.ts";
import { type OpenDatabase, openDatabase } from "../../../server/db/index.ts";
import type { SenderAccount } from "../../../server/outbox/index.ts";
import { type TelegramNetwork, startTelegramNetwork } from "../../../sandbox/telegram/index.ts";
import type { DeletedMessages, EditedMessage, ReadMark, TelegramMessage } from "../../../domain/telegram-message.ts";
import {
  type AccountKeeper,
  type TelegramConnection,
  registerTelegram,
  startAccountKeeper,
  telegramConnection,
} from "../../../server/telegram/index.ts";
import { movableClock } from "../../support/auth-server.ts";
import { testDatabase } from "../../support/database.ts";
import { untilIdle } from "../../support/waiting.ts";
import { addRow } from "../../support/rows.ts";

/** Undone after the test, last first. */
export const afterTest = (cleanup: () => Promise<unknown> | void): void =>
  onTestFinished(async () => void (await cleanup()));

/** Everything that the keeper handed on, and the accounts it holds. */
export class Inbox {
  readonly messages: TelegramMessage[] = [];
  readonly edits: EditedMessage[] = [];
  readonly deletions: DeletedMessages[] = [];
  readonly reads: ReadMark[] = [];
  readonly leased = new Map<string, SenderAccount>();
  readonly letGo: string[] = [];
  readonly #news = new EventEmitter();
  /** throws to refuse a message, as a database that is away would */
  beforeStoring: (message: TelegramMessage) => Promise<void> | void = () => {};

  readonly listeners = {
    onLeased: async (account: SenderAccount) => {
      this.leased.set(account.userId, account);
      this.#news.emit("leased");
      return {
        stop: async () => {
          this.letGo.push(account.userId);
          if (this.leased.get(account.userId) === account) this.leased.delete(account.userId);
        },
      };
    },
    onIncoming: async (messages: readonly [TelegramMessage, ...TelegramMessage[]]) => {
      for (const message of messages) await this.beforeStoring(message);
      this.messages.push(...messages);
    },
    onEdited: async (message: EditedMessage) => void this.edits.push(message),
    onDeleted: async (messages: DeletedMessages) => void this.deletions.push(messages),
    onRead: async (mark: ReadMark) => void this.reads.push(mark),
  };
  /** Resolves when a worker holds the account. */
  async account(userId: string): Promise<SenderAccount> {
    for (;;) {
      const held = this.leased.get(userId);
      if (held !== undefined) return held;
      await once(this.#news, "leased");
    }
  }
}

export type Reply = { status: number; body: Record<string, unknown>; headers: Record<string, unknown> };

/** A network, a database and one process of the product's Telegram half. More processes may join. */
export async function startTelegram(options: { env?: Record<string, string>; logger?: Logger } = {}) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "leadloom-telegram-"));
  const clock = movableClock();
  const network = await startTelegramNetwork({ dir: path.join(dataDir, "network"), clock });
  const database = await testDatabase();
  const opened = await openDatabase(database.options);
  // One count for all processes of a test: it waits for each of them.
  const work = createWork();
  const shared = { dataDir, clock, work, opened, options };
  afterTest(async () => {
    await network.close();
    await opened.close();
    await database.drop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });
  const process = await startProcess(shared, network);
  return {
    network,
    clock,
    dataDir,
    /** where a process of its own finds the database; null for the one in memory */
    databaseUrl: database.options.kind === "postgres" ? database.options.url : null,
    ...process,
    /** another process on the same database */
    another: (changed: { env?: Record<string, string> } = {}) =>
      startProcess({ ...shared, options: { ...options, env: { ...options.env, ...changed.env } } }, network),
    newUser: () => newUser(process.deps),
    /** Resolves when all work that can be done at this time is done, in all processes. */
    idle: () => untilIdle(work),
  };
}
export type Telegram = Awaited<ReturnType<typeof startTelegram>>;

async function startProcess(
  shared: {
    dataDir: string;
    clock: Deps["clock"];
    work: ProcessWork;
    opened: OpenDatabase;
    options: { env?: Record<string, string>; logger?: Logger };
  },
  network: TelegramNetwork,
) {
  const { opened, clock, work, options } = shared;
  const config = readConfig({ LEADLOOM_DATA: shared.dataDir, LOG_LEVEL: "silent", ...options.env });
  const logger = options.logger ?? pino({ level: globalThis.process.env["TEST_LOG"] ?? "silent" });
  const onBadMessage = (error: unknown) => {
    throw error;
  };
  const bus = await createBus(opened.db, opened.engine, onBadMessage, work);
  const jobs = createJobs({ engine: opened.engine, clock, logger, work }, { runsWork: false });
  const deps: Deps = { config, db: opened.db, engine: opened.engine, clock, bus, jobs, logger, work };
  const connection = telegramConnection(config, network.connection);
  const app = Fastify({ forceCloseConnections: true });
  registerErrorHandler(app);
  const unsubscribed = new Set<string>();
  const route = createRouter(
    app,
    {
      authenticate: async ({ headers: { authorization } }) => {
        const id = authorization?.replace("Bearer ", "");
        if (id === undefined) throw unauthorized();
        return { id, email: "", sessionId: "", claims: { sub: id, role: "authenticated" }, key: null };
      },
      hasSubscription: async (userId) => {
        if (unsubscribed.has(userId)) throw subscriptionRequired();
        return true;
      },
    },
    deps,
  );
  const desk = registerTelegram(route, app, deps, { connection, sentToday: async () => 0 });
  await app.ready();
  afterTest(() => app.close());

  const inbox = new Inbox();
  const keepers: AccountKeeper[] = [];
  return {
    deps,
    app,
    desk,
    inbox,
    unsubscribed,
    connection,
    async startKeeper(
      into = inbox,
      changed: { deps?: Deps; connection?: TelegramConnection } = {},
    ): Promise<AccountKeeper> {
      const options = { connection: changed.connection ?? connection, ...into.listeners };
      const keeper = await startAccountKeeper(changed.deps ?? deps, options);
      keepers.push(keeper);
      let stopping: Promise<void> | null = null;
      const once = { ...keeper, stop: () => (stopping ??= keeper.stop()) };
      afterTest(() => once.stop());
      return once;
    },
    async call(userId: string, method: "GET" | "POST" | "PATCH", url: string, body?: unknown): Promise<Reply> {
      const answer = await app.inject({
        method,
        url: `/api/telegram/${url}`,
        headers: { authorization: `Bearer ${userId}` },
        ...(body === undefined ? {} : { payload: body as Record<string, unknown> }),
      });
      return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
    },
    /** Logs an account in by code, as its owner would. */
    async connect(userId: string, phone: string): Promise<Reply> {
      await this.call(userId, "POST", "send-code", { phone });
      return this.call(userId, "POST", "verify-code", { phone, code: network.account(phone).login_code });
    },
  };
}

/** Somebody who signed up. */
async function newUser(deps: Deps): Promise<string> {
  const id = randomUUID();
  await addRow(deps.db, "auth.users", {
    id,
    email: `${id}@example.com`,
    encrypted_password: "-",
    email_confirmed_at: null,
    last_sign_in_at: null,
  });
  return id;
}
