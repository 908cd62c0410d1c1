import os from "node:os";
import type {
  ConnectionKind,
  ICorePlatform,
  ITelegramStorageProvider,
  RpcCallMiddleware,
  TelegramTransport,
} from "@mtcute/core";
import {
  type BasicDcOption,
  LogManager,
  addPublicKey,
  parseBasicDcOption,
  serializeBasicDcOption,
} from "@mtcute/core/utils.js";
import { BaseTelegramClient, NodePlatform, TelegramClient, networkMiddlewares, TcpTransport } from "@mtcute/node";
import { NodeCryptoProvider } from "@mtcute/node/utils.js";
import { classifySendError } from "../../domain/send-outcome.ts";
import type { Config } from "../core/config.ts";

/** Which Telegram to talk to. Without data centres: the real network's own. */
export type TelegramConnection = {
  apiId: number;
  apiHash: string;
  dcs?: readonly BasicDcOption[];
  mainDcId?: number;
  /** the network's RSA keys in PEM, when they are not the library's built-in ones */
  publicKeys?: readonly string[];
  /** what the account's owner reads in his list of devices */
  device: string;
  deliveryTo?: NetworkAddress["deliveryTo"];
};

/** Where a network that is not Telegram's own is found. */
export type NetworkAddress = {
  dcs: readonly { id: number; ipAddress: string; port: number }[];
  mainDcId: number;
  publicKeyPem: string;
  /** what a simulated network in this process says of a user's updates: their last place (pts), and whether a session hears them */
  deliveryTo?: (userId: number) => { place: number; isHeard: boolean };
};

/** The real network by the operator's application id, or the simulated one at its address. */
export function telegramConnection(config: Config, simulated: NetworkAddress | null): TelegramConnection {
  const device = deviceName(config);
  if (config.telegram.kind === "real") {
    return { apiId: config.telegram.apiId, apiHash: config.telegram.apiHash, device };
  }
  if (simulated === null) throw new Error("The simulated Telegram network is not running.");
  const { publicKeyPem, ...network } = simulated;
  return { apiId: 1, apiHash: "simulated", ...network, publicKeys: [publicKeyPem], device };
}

/** 'Leadloom on app.example.com': honest about who is logged in, and where to find it. */
function deviceName(config: Pick<Config, "publicUrl">): string {
  const { hostname } = new URL(config.publicUrl);
  return `Leadloom on ${["localhost", "127.0.0.1", "::1", "[::1]"].includes(hostname) ? os.hostname() : hostname}`;
}

/** What must be noticed in answers, whoever made the call. */
export type AnswerListeners = {
  /** a refusal as it came from the network */
  onRefused?: (code: number, text: string) => void;
  /** Telegram will not list what was missed since that time (seconds); `mayBeMore` when it named a place to ask on from */
  onTooMuchMissed?: (since: number, mayBeMore: boolean) => void;
  /** the place up to which updates were read was given up for Telegram's own, without asking for those between */
  onPlaceGivenUp?: () => void;
  /** Waits that many seconds. @throws when the connection ends meanwhile */
  wait?: (seconds: number) => Promise<void>;
};

const FILES: readonly ConnectionKind[] = ["upload", "download", "downloadSmall"];
/** Half-open sockets are noticed by a missing pong. */
const PING_MS = 15_000;
const IDLE_UPLOAD_MS = 20_000;

let crypto: NodeCryptoProvider | undefined;

/**
 * A client of the Telegram network. It waits and repeats nothing for sends (they pass their own limits), writes no log of its own
 * (the library prints whole users), and opens few connections.
 */
export function createClient(
  connection: TelegramConnection,
  storage: ITelegramStorageProvider,
  options: { receivesUpdates: boolean; maySpeak?: () => boolean } & AnswerListeners,
): { client: TelegramClient; base: BaseTelegramClient } {
  crypto ??= new NodeCryptoProvider();
  const platform = new NodePlatform() as ICorePlatform;
  const main = connection.dcs?.find(({ id }) => id === connection.mainDcId) ?? connection.dcs?.[0];
  for (const pem of connection.publicKeys ?? []) addPublicKey(crypto, pem);
  const logger = new LogManager("telegram", platform);
  logger.level = LogManager.OFF;
  // Connections for files would be made at once, used or not: three quarters of what an idle account costs in memory. A login resets
  // them all, so it has them all.
  const opened = new Set<ConnectionKind>(options.receivesUpdates ? [] : FILES);
  const base = new BaseTelegramClient({
    apiId: connection.apiId,
    apiHash: connection.apiHash,
    storage,
    // Who is met again is handed to our address book at once, which gathers by itself: half a minute later it may know nothing of them.
    storageOptions: { cleanup: false, peers: { updatesWriteInterval: 0 } },
    crypto,
    platform,
    logger,
    ...(options.maySpeak === undefined ? {} : { transport: guardedTransport(options.maySpeak) }),
    ...(main === undefined ? {} : { defaultDcs: { main, media: main } }),
    updates: options.receivesUpdates ? { catchUp: true } : false,
    initConnectionOptions: { deviceModel: connection.device, appVersion: "1.0", systemVersion: "server" },
    network: {
      pingInterval: PING_MS,
      inactivityTimeout: IDLE_UPLOAD_MS,
      connectionCount: (kind) => (opened.has(kind) ? 1 : 0),
      middlewares: [
        watchAnswers(options),
        // Waits that Telegram asks for are kept in the database by the engine; a second memory of them here would outlast a moved clock.
        ...networkMiddlewares.basic({ floodWaiter: { store: false, maxWait: 5_000, onBeforeWait: () => {} } }),
      ],
    },
  });
  // A call that comes after the end makes the library throw where nobody can catch it, which ends the process.
  const call = base.call.bind(base);
  base.call = (async (...given: Parameters<typeof call>) => {
    if (base.destroyed) throw new Error("The connection to Telegram is closed.");
    open(given[1]?.kind);
    return call(...given);
  }) as typeof base.call;
  const { network } = base.mt;
  const open = (kind: ConnectionKind | undefined): void => {
    if (kind === undefined || kind === "main" || opened.has(kind)) return;
    opened.add(kind);
    // The numbers of connections are read anew when this is told, the same or not.
    network.setIsPremium(network.params.isPremium);
  };
  const getPoolSize = base.getPoolSize.bind(base);
  base.getPoolSize = async (kind, dcId) => {
    open(kind);
    return getPoolSize(kind, dcId);
  };
  return { base, client: new TelegramClient({ client: base }) };
}

type Answer = { _?: string; errorCode?: number; errorMessage?: string; pts?: number } | null;

/** The seconds after which what was missed may be asked for; null when nothing has to be waited for. */
const waitFor = (method: string, answer: Answer): number | null => {
  if (method !== "updates.getDifference" || answer?._ !== "mt_rpc_error") return null;
  const outcome = classifySendError({ code: answer.errorCode, text: answer.errorMessage });
  return outcome.kind === "wait" ? outcome.seconds : null;
};

/** A middleware that tells of refusals and of gaps, and asks again for what was missed after a wait. */
function watchAnswers(listeners: AnswerListeners): RpcCallMiddleware {
  const { onRefused, onTooMuchMissed, onPlaceGivenUp, wait } = listeners;
  return async (ctx, next) => {
    let result = (await next(ctx)) as Answer;
    // The library would drop the question; what was missed would wait for the next update that shows a gap.
    for (;;) {
      const seconds = waitFor(ctx.request._, result);
      if (wait === undefined || seconds === null) break;
      await wait(seconds);
      result = (await next(ctx)) as Answer;
    }
    if (ctx.request._ === "updates.getState" && result?._ === "updates.state") onPlaceGivenUp?.();
    if (result?._ === "mt_rpc_error" && result.errorMessage !== undefined)
      onRefused?.(result.errorCode ?? 0, result.errorMessage);
    if (result?._ === "updates.differenceTooLong" && ctx.request._ === "updates.getDifference")
      onTooMuchMissed?.(ctx.request.date, result.pts !== ctx.request.pts);
    return result;
  };
}

/**
 * A stored session remembers its data centre by address. Where the connection names the addresses itself, a centre that has moved
 * since (a simulated network on another port) is found again by its number.
 */
export async function relocate(connection: TelegramConnection, { kv }: ITelegramStorageProvider): Promise<void> {
  if (connection.dcs === undefined) return;
  for (const key of ["dc_main", "dc_media"]) {
    const stored = await kv.get(key);
    const known = stored === null ? null : parseBasicDcOption(stored);
    const current = connection.dcs.find(({ id }) => id === known?.id);
    if (known === null || current === undefined) continue;
    if (current.ipAddress !== known.ipAddress || current.port !== known.port)
      await kv.set(key, serializeBasicDcOption(current));
  }
}

/**
 * A connection to Telegram over which nothing is said without permission: asked before each write. A connection that may not speak is closed
 * instead, and none is opened: two speakers under one key cost the session.
 */
function guardedTransport(maySpeak: () => boolean): TelegramTransport {
  const plain = new TcpTransport();
  return {
    packetCodec: () => plain.packetCodec(),
    async connect(dc) {
      if (!maySpeak()) throw silenced();
      const connection = await plain.connect(dc);
      const write = connection.write.bind(connection);
      connection.write = async (bytes) => {
        if (maySpeak()) return write(bytes);
        connection.close();
        throw silenced();
      };
      return connection;
    },
  };
}

const silenced = () => new Error("This worker may no longer hold the account, so it says nothing.");
