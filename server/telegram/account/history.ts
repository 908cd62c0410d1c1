import type { Logger } from "pino";
import { classifySendError } from "../../../domain/send-outcome.ts";
import type { Clock } from "../../core/clock.ts";
import type { Work } from "../../core/work.ts";
import type { Db } from "../../db/index.ts";
import { callErrorOf } from "../call-error.ts";
import type { TelegramMessage } from "../../../domain/telegram-message.ts";
import type { ChatPlace, ChatReader, ChatsPage, PrivateChat } from "../types.ts";

/**
 * What has to be read from the chats: messages since `since` (all times in seconds), in chats whose newest message is not older than
 * `bound`. `newest` and `newestId` are the time and the highest id of a private message when this pass began; `seenId` is that id of the
 * previous pass. `after` and `done` are the position: the page, and its chats that were read.
 */
type Gap = {
  since: number;
  bound: number;
  newest: number | null;
  newestId?: number | undefined;
  seenId?: number | undefined;
  after: ChatPlace | null;
  done: string[];
};

/** Reads missed messages that Telegram does not list after a very long absence. */
export type GapReader = {
  /** Stores durably that everything since a time (seconds) has to be read, and starts. */
  note(since: number): Promise<void>;
  /** Continues a read that an earlier process started; `stored` is its position. */
  resume(stored: Uint8Array | null): void;
  stop(): Promise<void>;
};

/** The key of the position in the account's state. It begins like the update position, which outlives a lost session. */
export const GAP_KEY = "updates_missed";
/** The stored time of the last update can be wrong by the clock error of its source. */
const MARGIN_SECONDS = 900;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** Pages of a chat kept in memory while searching for the start; older pages of a longer chat are read again. */
const PAGES_MAX = 20;
/** The newest message id of a pass without private chats. */
const NO_CHAT = 0;

/**
 * After a very long absence Telegram does not list missed updates ("difference too long"), so they are read from the chats, in parallel
 * with new updates. A pass reads the chats from the newest to the oldest. A chat that moves to the top during a pass of several pages can
 * be missed, so further passes read what has moved since, until a pass has one page or nothing moved during the previous one. Movement is
 * detected by message id, because private messages are numbered per account and many chats can share their newest second.
 * @param hand stores a chat's messages, oldest first; resolves when they are stored
 */
export function createGapReader(options: {
  db: Db;
  clock: Clock;
  work: Work;
  logger: Logger;
  accountId: string;
  chats: ChatReader;
  hand: (messages: readonly TelegramMessage[], readUpTo: { peerId: string; messageId: number } | null) => Promise<void>;
}): GapReader {
  const { db, clock, work, logger, accountId, chats, hand } = options;
  const stopping = new AbortController();
  let gap: Gap | null = null;
  /** counts calls of `note`; results of a pass from before the last call are discarded */
  let noted = 0;
  let running: Promise<void> | null = null;

  const write = async (next: Gap | null): Promise<void> => {
    if (next === null) {
      await db.deleteFrom("telegram_state").where("account_id", "=", accountId).where("key", "=", GAP_KEY).execute();
    } else {
      const value = Buffer.from(JSON.stringify(next));
      await db
        .insertInto("telegram_state")
        .values({ account_id: accountId, key: GAP_KEY, value })
        .onConflict((conflict) => conflict.columns(["account_id", "key"]).doUpdateSet({ value }))
        .execute();
    }
  };
  let writing: Promise<void> = Promise.resolve();
  /** Serializes writes and skips those from before the last `note`. */
  const save = (next: Gap | null, begun: number): Promise<void> => {
    const earlier = writing.catch(() => {});
    writing = (async () => {
      await earlier;
      if (begun !== noted) return;
      await write(next);
      // `note` may have been called during the write.
      if (begun === noted) gap = next;
    })();
    return writing;
  };

  /** Retries until it succeeds; returns null if this chat is refused. @throws when stopped */
  const patiently = async <T>(what: string, ask: () => Promise<T>, mayBeRefused = false): Promise<T | null> => {
    for (let failures = 0; ;) {
      stopping.signal.throwIfAborted();
      try {
        return await ask();
      } catch (error) {
        stopping.signal.throwIfAborted();
        const outcome = classifySendError(callErrorOf(error) ?? error);
        if (outcome.kind === "wait" || outcome.kind === "chatWait") {
          logger.info({ seconds: outcome.seconds }, "telegram rate limit: waiting before reading more chats");
          await work.pauseFor(clock.sleepUntil(clock.now() + outcome.seconds * 1000, stopping.signal));
          continue;
        }
        logger.warn({ err: error, failures }, `${what} could not be read`);
        if (mayBeRefused && outcome.kind === "recipient") return null;
        const ms = Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
        failures += 1;
        await clock.sleep(ms, stopping.signal);
      }
    }
  };

  const readChat = async (chat: PrivateChat, since: number): Promise<void> => {
    const page = (before: number) => patiently("a chat", () => chats.readPage(chat, before), true);
    const pages: { before: number; messages: readonly TelegramMessage[] | null }[] = [];
    for (let before: number | null = 0; before !== null;) {
      const found: Awaited<ReturnType<typeof page>> = await page(before);
      if (found === null) return;
      pages.push({ before, messages: pages.length < PAGES_MAX ? found.messages : null });
      before = found.older !== null && found.oldestDate >= since ? found.older : null;
    }
    for (const { before, messages } of pages.toReversed()) {
      const newestFirst = messages ?? (await page(before))?.messages ?? [];
      await patiently("a chat's messages", () =>
        hand(newestFirst.filter(({ date }) => Date.parse(date) >= since * 1000).toReversed(), null),
      );
    }
    await patiently("a chat's state", () => hand([], { peerId: chat.peer.id, messageId: chat.readUpTo }));
    await patiently("a person", () => chats.keep(chat));
  };

  /** Reads a page's chats. @returns whether the state from its start is still current */
  const readPage = async (page: ChatsPage, begun: number): Promise<boolean> => {
    for (const chat of page.chats) {
      if (gap === null || noted !== begun) return false;
      if (chat.lastAt < gap.bound || gap.done.includes(chat.peer.id)) continue;
      await readChat(chat, gap.since);
      if (gap === null || noted !== begun) return false;
      const next: Gap = { ...gap, done: [...gap.done, chat.peer.id] };
      await patiently("the place", () => save(next, begun));
    }
    return gap !== null && noted === begun;
  };
  /** @returns whether to continue */
  const step = async (): Promise<boolean> => {
    if (gap === null) return false;
    const begun = noted;
    const { after } = gap;
    const page = await patiently("the chats", () => chats.listChats(after));
    if (page === null || gap === null || noted !== begun) return true;
    // The first pages may contain only groups, which say nothing about private chats.
    const isBeginning = gap.newest === null && page.chats.length > 0;
    const newest = isBeginning ? Math.max(gap.bound, ...page.chats.map(({ lastAt }) => lastAt)) : gap.newest;
    const newestId = isBeginning ? Math.max(...page.chats.map(({ lastId }) => lastId)) : gap.newestId;
    if (isBeginning && newestId === gap.seenId) {
      await patiently("the place", () => save(null, begun));
      return true;
    }
    const place: Gap = { ...gap, newest, newestId };
    await patiently("the place", () => save(place, begun));
    if (!(await readPage(page, begun))) return true;
    const isOver = page.next === null || page.next.date < place.bound;
    let next: Gap | null = { ...place, after: page.next, done: [] };
    if (isOver) {
      const seenId = newestId ?? NO_CHAT;
      const again = { since: gap.since, bound: newest ?? gap.bound, newest: null, seenId, after: null, done: [] };
      next = after === null || seenId === gap.seenId ? null : again;
    }
    await patiently("the place", () => save(next, begun));
    return true;
  };
  const run = (): void => {
    const steps = async () => {
      while (await step());
    };
    running ??= work.track("read what was missed", steps()).then(
      () => {
        running = null;
        if (gap !== null) run();
      },
      (error: unknown) => {
        running = null;
        // Failures are retried where they occur; this is a stop or a bug.
        if (!stopping.signal.aborted) logger.error({ err: error }, "reading missed messages failed");
      },
    );
  };
  return {
    async note(since) {
      const from = Math.min(since - MARGIN_SECONDS, gap?.since ?? Infinity);
      noted += 1;
      // Set before the write; otherwise a pass in progress would overwrite it with its old position.
      gap = { since: from, bound: from, newest: null, after: null, done: [] };
      await save(gap, noted);
      run();
    },
    resume(stored) {
      if (stored === null || gap !== null) return;
      gap = JSON.parse(Buffer.from(stored).toString()) as Gap;
      run();
    },
    async stop() {
      stopping.abort(new Error("The account is released."));
      await running;
    },
  };
}
