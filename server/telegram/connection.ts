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

/** Which Telegram network to use. Without data centres: the real one. */
export type TelegramConnection = {
  apiId: number;
  apiHash: string;
  dcs?: readonly BasicDcOption[];
  mainDcId?: number;
  /** the network's RSA keys in PEM, if not the library's built-in ones */
  publicKeys?: readonly string[];
  /** the device name in the account's list of sessions */
  device: string;
  deliveryTo?: NetworkAddress["deliveryTo"];
};

/** The address of a simulated network. */
export type NetworkAddress = {
  dcs: readonly { id: number; ipAddress: string; port: number }[];
  mainDcId: number;
  publicKeyPem: string;
  /** how far a simulated network in this process has sent a user's updates (pts), and whether a session receives them */
  deliveryTo?: (userId: number) => { pts: number; isReceiving: boolean };
};

/** Returns the real network with the operator's application id, or the simulated one. */
export function telegramConnection(config: Config, simulated: NetworkAddress | null): TelegramConnection {
  const device = deviceName(config);
  if (config.telegram.kind === "real") {
    return { apiId: config.telegram.apiId, apiHash: config.telegram.apiHash, device };
  }
  if (simulated === null) throw new Error("The simulated Telegram network is not running.");
  const { publicKeyPem, ...network } = simulated;
  return { apiId: 1, apiHash: "simulated", ...network, publicKeys: [publicKeyPem], device };
}

/** 'Leadloom on app.example.com': says who is logged in and where to find it. */
function deviceName(config: Pick<Config, "publicUrl">): string {
  const { hostname } = new URL(config.publicUrl);
  return `Leadloom on ${["localhost", "127.0.0.1", "::1", "[::1]"].includes(hostname) ? os.hostname() : hostname}`;
}

/** Events in responses, independent of the caller. */
export type AnswerListeners = {
  /** a refusal as received from the network */
  onRefused?: (code: number, text: string) => void;
  /** Telegram does not list what was missed since that time (seconds); `mayBeMore` if it named a position to continue from */
  onTooMuchMissed?: (since: number, mayBeMore: boolean) => void;
  /** the update position was replaced by Telegram's own, without requesting the updates in between */
  onPlaceGivenUp?: () => void;
  /** Waits that many seconds. @throws when the connection ends before */
  wait?: (seconds: number) => Promise<void>;
};

const FILES: readonly ConnectionKind[] = ["upload", "download", "downloadSmall"];
/** Half-open sockets are detected by a missing pong. */
const PING_MS = 15_000;
const IDLE_UPLOAD_MS = 20_000;

let crypto: NodeCryptoProvider | undefined;

/**
 * Creates a client. It does not wait or retry for sends (they pass their own limits), writes no log of its own (the library would log whole
 * users), and opens few connections.
 */
export function createClient(
  connection: TelegramConnection,
  storage: ITelegramStorageProvider,
  options: { receivesUpdates: boolean; canWrite?: () => boolean } & AnswerListeners,
): { client: TelegramClient; base: BaseTelegramClient } {
  crypto ??= new NodeCryptoProvider();
  const platform = new NodePlatform() as ICorePlatform;
  const main = connection.dcs?.find(({ id }) => id === connection.mainDcId) ?? connection.dcs?.[0];
  for (const pem of connection.publicKeys ?? []) addPublicKey(crypto, pem);
  const logger = new LogManager("telegram", platform);
  logger.level = LogManager.OFF;
  // File connections would be created at once, used or not, and cost three quarters of an idle account's memory. A login resets all
  // connections, so it creates all.
  const opened = new Set<ConnectionKind>(options.receivesUpdates ? [] : FILES);
  const base = new BaseTelegramClient({
    apiId: connection.apiId,
    apiHash: connection.apiHash,
    storage,
    // Peers that appear again must reach the address book at once, which batches by itself; the library would wait half a minute.
    storageOptions: { cleanup: false, peers: { updatesWriteInterval: 0 } },
    crypto,
    platform,
    logger,
    ...(options.canWrite === undefined ? {} : { transport: guardedTransport(options.canWrite) }),
    ...(main === undefined ? {} : { defaultDcs: { main, media: main } }),
    updates: options.receivesUpdates ? { catchUp: true } : false,
    initConnectionOptions: { deviceModel: connection.device, appVersion: "1.0", systemVersion: "server" },
    network: {
      pingInterval: PING_MS,
      inactivityTimeout: IDLE_UPLOAD_MS,
      connectionCount: (kind) => (opened.has(kind) ? 1 : 0),
      middlewares: [
        watchAnswers(options),
        // The engine stores waits in the database; the library's own store would ignore a moved clock.
        ...networkMiddlewares.basic({ floodWaiter: { store: false, maxWait: 5_000, onBeforeWait: () => {} } }),
      ],
    },
  });
  // For a call after the end the library throws an uncatchable error, which would end the process.
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
    // The call makes the library read the number of connections again, even if the value is the same.
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

/** Returns after how many seconds missed updates may be requested; null if there is no wait. */
const waitFor = (method: string, answer: Answer): number | null => {
  if (method !== "updates.getDifference" || answer?._ !== "mt_rpc_error") return null;
  const outcome = classifySendError({ code: answer.errorCode, text: answer.errorMessage });
  return outcome.kind === "wait" ? outcome.seconds : null;
};

/** Reports refusals and gaps, and requests missed updates again after a wait. */
function watchAnswers(listeners: AnswerListeners): RpcCallMiddleware {
  const { onRefused, onTooMuchMissed, onPlaceGivenUp, wait } = listeners;
  return async (ctx, next) => {
    let result = (await next(ctx)) as Answer;
    // The library would drop the request; missed updates would wait for the next update that shows a gap.
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
 * A stored session contains its data centre's address. If the connection names the addresses itself, a data centre that has moved (a
 * simulated network on another port) is found by its id.
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
 * A transport that asks `canWrite` before each write. If it returns false, the connection is closed and none is opened: two clients with
 * the same key would cost the session.
 */
function guardedTransport(canWrite: () => boolean): TelegramTransport {
  const plain = new TcpTransport();
  return {
    packetCodec: () => plain.packetCodec(),
    async connect(dc) {
      if (!canWrite()) throw leaseLost();
      const connection = await plain.connect(dc);
      const write = connection.write.bind(connection);
      connection.write = async (bytes) => {
        if (canWrite()) return write(bytes);
        connection.close();
        throw leaseLost();
      };
      return connection;
    },
  };
}

const leaseLost = () => new Error("This worker may no longer hold the account, so it sends nothing.");
