import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BaseTelegramClient,
  MemoryStorage,
  TelegramClient,
  type BaseTelegramClientOptions,
  type Message,
} from "@mtcute/node";
import { expect, onTestFinished } from "vitest";
import { startTelegramNetwork, telegramClientOptions, type TelegramNetwork } from "../../../sandbox/telegram/index.ts";
import { createClock, type Clock } from "../../../server/core/clock.ts";
import { waitFor } from "../../support/waiting.ts";

export const PHONE = "+4915112345678";
export const API = { apiId: 12345, apiHash: "0123456789abcdef0123456789abcdef" };

/** Undone after the test, last first. */
export const afterTest = (cleanup: () => Promise<void> | void): void => onTestFinished(() => cleanup());

export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "leadloom-telegram-"));
  afterTest(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export async function startNetwork(dir = temporaryDir(), clock: Clock = createClock()): Promise<TelegramNetwork> {
  const network = await startTelegramNetwork({ dir, clock });
  afterTest(() => network.close().catch(() => undefined));
  return network;
}

type Extra = Partial<BaseTelegramClientOptions>;

const bases = new WeakMap<TelegramClient, BaseTelegramClient>();

/** An unmodified mtcute client that knows this network's data centres and key. */
async function startClient(network: TelegramNetwork, extra: Extra = {}): Promise<TelegramClient> {
  const base = new BaseTelegramClient({
    ...API,
    ...(await telegramClientOptions(network.connection)),
    storage: new MemoryStorage(),
    logLevel: 0,
    ...extra,
  });
  const client = new TelegramClient({ client: base });
  bases.set(client, base);
  afterTest(() => client.destroy().catch(() => undefined));
  return client;
}

/** Until the client follows updates: it starts to by itself after a login, asking for the state first. */
async function followsUpdates(client: TelegramClient): Promise<void> {
  await waitFor(() => expect(bases.get(client)?.updates?.updatesLoopActive).toBe(true));
}

export function loginCode(network: TelegramNetwork, phone = PHONE): string {
  const { login_code: code } = network.account(phone);
  if (code === null) throw new Error(`no login code for ${phone}`);
  return code;
}

/** A client logged in by code. */
export async function loggedIn(network: TelegramNetwork, phone = PHONE, extra: Extra = {}): Promise<TelegramClient> {
  const client = await startClient(network, extra);
  const sent = await client.sendCode({ phone });
  if (!("phoneCodeHash" in sent)) throw new Error("already logged in");
  await client.signIn({ phone, phoneCodeHash: sent.phoneCodeHash, phoneCode: loginCode(network, phone) });
  await followsUpdates(client);
  return client;
}

/** Messages as they come, each awaited in turn. */
export class Inbox {
  readonly #waiting: ((message: Message) => void)[] = [];
  readonly #arrived: Message[] = [];
  readonly all: Message[] = [];

  constructor(client: TelegramClient) {
    client.onNewMessage.add((message) => {
      this.all.push(message);
      const waiter = this.#waiting.shift();
      if (waiter === undefined) this.#arrived.push(message);
      else waiter(message);
    });
  }

  next(): Promise<Message> {
    const arrived = this.#arrived.shift();
    return arrived === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(arrived);
  }
}
