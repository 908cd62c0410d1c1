import { EventEmitter, once } from "node:events";
import path from "node:path";
import Fastify from "fastify";
import type { Logger } from "pino";
import { onTestFinished } from "vitest";
import type { Deps } from "../../../server/core/deps.ts";
import { registerErrorHandler } from "../../../server/core/errors.ts";
import { createRouter } from "../../../server/core/routes.ts";
import type { SenderAccount } from "../../../server/outbox/port.ts";
import { type TelegramNetwork, startTelegramNetwork } from "../../../sandbox/telegram/index.ts";
import type { TelegramMessage } from "../../../domain/telegram-message.ts";
import {
  type AccountKeeper,
  type TelegramConnection,
  registerTelegram,
  startAccountKeeper,
  telegramConnection,
} from "../../../server/telegram/index.ts";
import { movableClock } from "../../support/auth-server.ts";
import { addAuthUser, openStore, partsOn, signInById, type Store } from "../../support/parts.ts";

export const PHONE = "+4915112345678";
/** The response to a completed login. */
export const CONNECTED = { status: 200, body: { success: true, phone: PHONE } };
/** A refusal, for a comparison with a response. */
export const refusedAs = (code: string, status = 422) => ({ status, body: { code } });

/** Everything that the keeper passed on, and the accounts it holds. */
export class Inbox {
  readonly messages: TelegramMessage[] = [];
  readonly leased = new Map<string, SenderAccount>();
  readonly released: string[] = [];
  readonly #news = new EventEmitter();
  /** throws to refuse a message, as when the database is unavailable */
  beforeStoring: (message: TelegramMessage) => Promise<void> | void = () => {};
  /** delays the release of an account, as a send in flight does */
  beforeRelease: () => Promise<void> | void = () => {};

  readonly listeners = {
    onLeased: async (account: SenderAccount) => {
      this.leased.set(account.userId, account);
      this.#news.emit("leased");
      return {
        stop: async () => {
          await this.beforeRelease();
          this.released.push(account.userId);
          if (this.leased.get(account.userId) === account) this.leased.delete(account.userId);
        },
      };
    },
    onIncoming: async (messages: readonly [TelegramMessage, ...TelegramMessage[]]) => {
      for (const message of messages) await this.beforeStoring(message);
      this.messages.push(...messages);
    },
    onEdited: async () => {},
    onDeleted: async () => {},
    onRead: async () => {},
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

/** Starts a network, a database and one process of the product's Telegram half. More processes can be added. */
export async function startTelegram(options: { env?: Record<string, string>; logger?: Logger } = {}) {
  // All processes of a test share one work counter, so `idle` waits for each of them.
  const { close, ...store } = await openStore();
  const clock = movableClock();
  const network = await startTelegramNetwork({ dir: path.join(store.dataDir, "network"), clock });
  onTestFinished(async () => {
    await network.close();
    await close();
  });
  const process = await startProcess(store, clock, network, options);
  return {
    network,
    clock,
    ...store,
    ...process,
    /** starts another process on the same database */
    another: (changed: { env?: Record<string, string> } = {}) =>
      startProcess(store, clock, network, { ...options, env: { ...options.env, ...changed.env } }),
    newUser: async () => (await addAuthUser(process.deps.db)).id,
  };
}
/** Like `startTelegram`, with a user, and with a worker that holds accounts unless `hasKeeper` is false. */
export async function startWithUser({ hasKeeper = true } = {}) {
  const telegram = await startTelegram();
  if (hasKeeper) await telegram.startKeeper();
  return { telegram, user: await telegram.newUser() };
}
/** Like `startWithUser`, with a connected account that received 'hi' from Anna. */
export async function startConnected() {
  const { telegram, user } = await startWithUser();
  await telegram.connect(user, PHONE);
  const account = await telegram.inbox.account(user);
  const { user_id } = telegram.network.receive(PHONE, { from: { first_name: "Anna" }, text: "hi" });
  await telegram.idle();
  return { telegram, user, account, port: account.port, to: { telegramUserId: String(user_id) } };
}
export type Telegram = Awaited<ReturnType<typeof startTelegram>>;

async function startProcess(
  store: Omit<Store, "close">,
  clock: Deps["clock"],
  network: TelegramNetwork,
  options: { env?: Record<string, string>; logger?: Logger },
) {
  const deps = await partsOn(store, clock, options);
  const connection = telegramConnection(deps.config, network.connection);
  const app = Fastify({ forceCloseConnections: true });
  registerErrorHandler(app);
  const route = createRouter(app, { authenticate: signInById, hasSubscription: async () => true }, deps);
  registerTelegram(route, app, deps, { connection, sentToday: async () => 0 });
  await app.ready();
  onTestFinished(() => app.close());

  const inbox = new Inbox();
  const keepers: AccountKeeper[] = [];
  return {
    deps,
    app,
    inbox,
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
      onTestFinished(() => once.stop());
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
    /** Logs in an account by code, as its owner would. */
    async connect(userId: string, phone: string): Promise<Reply> {
      await this.call(userId, "POST", "send-code", { phone });
      return this.call(userId, "POST", "verify-code", { phone, code: network.account(phone).login_code });
    },
  };
}
