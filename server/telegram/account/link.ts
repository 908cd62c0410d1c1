import type { Deps } from "../../core/deps.ts";
import type { SendPort } from "../../outbox/port.ts";
import { type TelegramConnection, createClient, relocate } from "../connection.ts";
import { sessionLoss } from "../call-error.ts";
import { preloadStorage } from "../storage/preloaded.ts";
import { createAccountStorage } from "../storage/provider.ts";
import type { Vault } from "../../core/vault.ts";
import type { AccountListeners, ChatReader } from "../types.ts";
import { createChatReader } from "./chats.ts";
import type { ClockSample } from "./clock-offset.ts";
import { GAP_KEY, createGapReader } from "./history.ts";
import { readUpdate } from "./normalize.ts";
import { createPort } from "./port.ts";
import { type RecordedUpdate, type LinkedAccount, createRecorder } from "./recorder.ts";
import { createUpdateQueue } from "./update-queue.ts";

/** An account's connection. */
export type Link = {
  port: SendPort;
  chats: ChatReader;
  /** Connects and reconnects until closed. @throws when the account's stored state could not be read; then it receives nothing */
  connect(): Promise<void>;
  /** since when the account is unusable, by `clock.monotonic()`; null while it can send and receive */
  unusableSince(): number | null;
  /** Resolves when the account is first usable. */
  usable: Promise<void>;
  /** whether all updates from a simulated network are stored; the real network cannot tell */
  isCaughtUp(): boolean;
  readClock(): void;
  /** Returns and clears the time of the account's last activity. */
  takeActivity(): string | null;
  logOut(): Promise<void>;
  close(): Promise<void>;
};

const GIVE_UP_TRIES = 20;
const CLOCK_TIMEOUT_MS = 10_000;
/** Telegram truncates its time to whole seconds. */
const HALF_A_SECOND_MS = 500;

/**
 * Opens a stored session and stays connected. Missed updates are fetched first.
 * @param events.onLost the session ended for good, with the reason to store
 * @param events.onClockSample how far Telegram's clock is ahead, at each connection and on request
 */
export async function openLink(
  deps: Pick<Deps, "db" | "clock" | "logger" | "work">,
  options: {
    connection: TelegramConnection;
    vault: Vault;
    account: LinkedAccount & { fence: bigint };
    listeners: Pick<AccountListeners, "onIncoming" | "onEdited" | "onDeleted" | "onRead">;
    onLost: (reason: string, error: string) => void;
    onClockSample: (sample: ClockSample) => void;
    /** whether the account may send at this moment */
    canWrite: () => boolean;
    receivesUpdates?: boolean;
  },
): Promise<Link> {
  const { db, clock } = deps;
  const { account, connection } = options;
  const logger = deps.logger.child({ account: account.accountId });
  const closing = new AbortController();
  let activity: string | null = null;

  const record = createRecorder({
    account,
    clock,
    listeners: options.listeners,
    client: () => base,
    onActivity: () => (activity = clock.iso()),
    onMissed: (since) => gaps.note(since),
  });
  const updates = createUpdateQueue<RecordedUpdate>(deps, record, async (error, tries) => {
    logger.error({ err: error, tries }, "an update could not be stored");
    if (tries < GIVE_UP_TRIES) return false;
    await db.selectFrom("telegram_workers").select("id").limit(1).execute();
    logger.error("an update was skipped: the database refuses to store it");
    return true;
  });
  const stored = createAccountStorage(db, options.vault, account, () => updates.drained(), closing.signal);
  const { storage, release } = await preloadStorage(db, account.accountId, stored);
  await relocate(connection, storage);
  const { client, base } = createClient(connection, storage, {
    receivesUpdates: options.receivesUpdates ?? true,
    canWrite: options.canWrite,
    onRefused(code, text) {
      const reason = sessionLoss(code, text);
      if (reason !== null) options.onLost(reason, text);
    },
    onTooMuchMissed(since, mayBeMore) {
      logger.warn({ since }, "too many updates were missed, reading them from the chats");
      updates.push({ missedSince: since });
      // Telegram's position may be behind its newest one; the library does not continue from there.
      if (mayBeMore) base.updates?.catchUp();
    },
    onPlaceGivenUp() {
      const heardUntil = base.updates?.date;
      if (heardUntil !== undefined && heardUntil > 0) updates.push({ missedSince: heardUntil });
    },
    wait: (seconds) => clock.sleepUntil(clock.now() + seconds * 1000, closing.signal),
  });
  const chats = createChatReader(client, account, async (user) => {
    await base.storage.peers.store(user);
    await stored.book.flush();
  });
  const gaps = createGapReader({
    db,
    clock,
    work: deps.work,
    logger,
    accountId: account.accountId,
    chats,
    async hand(messages, readUpTo) {
      for (const message of messages) updates.push({ message });
      if (readUpTo !== null) updates.push({ read: readUpTo });
      await updates.drained();
    },
  });
  client.onRawUpdate.add(({ update, peers }) => {
    const parsed = readUpdate(update);
    if (parsed === null) return;
    if (parsed.kind === "edit") port.forgetFile(parsed.message.id);
    if (parsed.kind === "message") stored.book.expect(parsed.peerId);
    updates.push({ update: parsed, peers });
  });
  client.onError.add((error) => {
    // The keeper reports a lost lease once; meanwhile all its accounts retry to connect.
    const level = options.canWrite() ? "warn" : "debug";
    logger[level]({ error: error.name, reason: error.message }, "telegram connection");
  });

  // Each new connection requests missed updates: those pushed into a dying socket are lost, and only a call reveals that the session ended.
  let listening = false;
  let isConnected = false;
  let unusableSince: number | null = clock.monotonic();
  const firstUsable = Promise.withResolvers<void>();
  const judgeUse = () => {
    unusableSince = isConnected && listening ? null : (unusableSince ?? clock.monotonic());
    if (unusableSince === null) firstUsable.resolve();
  };
  const readClock = (): void => {
    const [startTick, startedAt] = [clock.monotonic(), clock.now()];
    const answer = client.call({ _: "help.getConfig" }, { timeout: CLOCK_TIMEOUT_MS, maxRetryCount: 0 });
    deps.work
      .track("read Telegram's clock", answer)
      .then(({ date }) => {
        const tookMs = clock.monotonic() - startTick;
        options.onClockSample({ offsetMs: date * 1000 + HALF_A_SECOND_MS - (startedAt + tookMs / 2), tookMs });
      })
      .catch(() => {});
  };
  base.mt.onUsable.add(() => {
    isConnected = true;
    judgeUse();
    if (listening) base.updates?.catchUp();
    readClock();
  });
  base.mt.onConnecting.add(() => {
    isConnected = false;
    judgeUse();
  });
  const port = createPort(client, deps, account.accountId);
  await client.prepare();
  const connect = async (): Promise<void> => {
    await client.connect();
    if (options.receivesUpdates === false) return;
    await client.startUpdatesLoop();
    gaps.resume(await storage.kv.get(GAP_KEY));
    release();
    listening = true;
    judgeUse();
  };

  return {
    connect,
    unusableSince: () => unusableSince,
    usable: firstUsable.promise,
    isCaughtUp() {
      const sent = connection.deliveryTo?.(Number(account.telegramUserId));
      const stored = base.updates?.oldPts ?? 0;
      return sent === undefined || (listening && sent.isReceiving && stored >= sent.pts);
    },
    readClock,
    chats,
    port: {
      ...port,
      sendText: (input) => {
        activity = clock.iso();
        return port.sendText(input);
      },
      sendMedia: (input) => {
        activity = clock.iso();
        return port.sendMedia(input);
      },
    },
    takeActivity() {
      const last = activity;
      activity = null;
      return last;
    },
    async logOut() {
      await client.call({ _: "auth.logOut" }, { timeout: CLOCK_TIMEOUT_MS, maxRetryCount: 0 });
    },
    async close() {
      closing.abort(new Error("The connection to Telegram is closed."));
      const storing = Promise.all([gaps.stop(), updates.stop()]);
      await client
        .destroy()
        .catch((error: unknown) => logger.warn({ err: error }, "closing a telegram connection failed"));
      await storing;
      // The last batch may have created leads whose updates will not come again, so their access hashes must be stored now.
      await stored.book
        .settle(() => Promise.resolve())
        .catch((error: unknown) => logger.warn({ err: error }, "could not store the peers of the last updates"));
    },
  };
}
