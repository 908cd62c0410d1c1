import { BaseTelegramClient, MemoryStorage, TelegramClient, type Message } from "@mtcute/node";
import { expect, onTestFinished } from "vitest";
import { startTelegramNetwork, telegramClientOptions, type TelegramNetwork } from "../../../sandbox/telegram/index.ts";
import { createClock, type Clock } from "../../../server/core/clock.ts";
import { newFolder } from "../../support/run-folder.ts";
import { waitFor } from "../../support/waiting.ts";

export const PHONE = "+4915112345678";
export const API = { apiId: 12345, apiHash: "0123456789abcdef0123456789abcdef" };

export async function startNetwork(dir = newFolder(), clock: Clock = createClock()): Promise<TelegramNetwork> {
  const network = await startTelegramNetwork({ dir, clock });
  onTestFinished(() => network.close().catch(() => undefined));
  return network;
}

const bases = new WeakMap<TelegramClient, BaseTelegramClient>();

/** Starts an unmodified mtcute client that knows the data centres and key of this network. */
async function startClient({ connection }: TelegramNetwork): Promise<TelegramClient> {
  const known = { ...API, ...(await telegramClientOptions(connection)) };
  const base = new BaseTelegramClient({ ...known, storage: new MemoryStorage(), logLevel: 0 });
  const client = new TelegramClient({ client: base });
  bases.set(client, base);
  onTestFinished(() => client.destroy().catch(() => undefined));
  return client;
}

/** Resolves when the client follows updates, which it starts after a login by requesting the state. */
async function followsUpdates(client: TelegramClient): Promise<void> {
  await waitFor(() => expect(bases.get(client)?.updates?.updatesLoopActive).toBe(true));
}

export function loginCode(network: TelegramNetwork): string {
  const { login_code: code } = network.account(PHONE);
  if (code === null) throw new Error(`no login code for ${PHONE}`);
  return code;
}

/** Returns a client that logged in by code. */
export async function loggedIn(network: TelegramNetwork): Promise<TelegramClient> {
  const client = await startClient(network);
  const sent = await client.sendCode({ phone: PHONE });
  if (!("phoneCodeHash" in sent)) throw new Error("already logged in");
  const { phoneCodeHash } = sent;
  await client.signIn({ phone: PHONE, phoneCodeHash, phoneCode: loginCode(network) });
  await followsUpdates(client);
  return client;
}

/** Incoming messages, each awaited in order. */
export class Inbox {
  readonly #waiting: ((message: Message) => void)[] = [];
  readonly #arrived: Message[] = [];

  constructor(client: TelegramClient) {
    client.onNewMessage.add((message) => {
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
