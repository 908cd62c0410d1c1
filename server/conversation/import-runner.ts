import { storedReason } from "../../domain/stored-reasons.ts";
import type { TelegramMessage } from "../../domain/telegram-message.ts";
import { classifySendError } from "../../domain/send-outcome.ts";
import { publishEvent } from "../core/bus.ts";
import type { Deps, Running } from "../core/deps.ts";
import { isDatabaseUnavailable } from "../core/errors.ts";
import { onTopic, type Round, runWorker } from "../core/worker.ts";
import type { ChatPlace, HeldAccount, PrivateChat } from "../telegram/index.ts";

/** Stores a chat's messages, oldest first. @returns whether the chat belongs to a lead now */
export type RecordChat = (
  ownerId: string,
  chat: { messages: readonly TelegramMessage[]; readUpTo: number },
) => Promise<boolean>;

type Place = { after: ChatPlace | null; scanned: number; found: number };
type Job = {
  id: string;
  since: string;
  include_contacts: boolean;
  place: Place | null;
};

/** A lost notification delays an import by at most this long. */
const IDLE_MS = 600_000;
const RETRY_MS = 5_000;
const LAST_RETRY_MS = 300_000;
const MOST_FAILURES = 12;

/**
 * Runs the owner's chat import while this process holds the account: page by page, each chat in one transaction. After a restart it
 * continues with the current page. It only reads; nothing is sent or marked as read.
 */
export function startChatImport(deps: Deps, account: HeldAccount, record: RecordChat): Running {
  const { db, clock } = deps;
  const logger = deps.logger.child({ account: account.accountId, part: "import" });
  /** Consecutive database failures on the current page. Each retry reads the page's chats from Telegram again. */
  let interrupted = { id: "", times: 0 };
  const mine = (id: string) =>
    db
      .updateTable("chat_imports")
      .where("id", "=", id)
      .where("owner_id", "=", account.userId)
      .where("status", "=", "in_progress");

  const nextJob = (): Promise<Job | undefined> =>
    db
      .selectFrom("chat_imports")
      .select(["id", "since", "include_contacts", "place"])
      .where("owner_id", "=", account.userId)
      .where("account_user_id", "=", account.telegramUserId)
      .where("status", "=", "in_progress")
      .executeTakeFirst();
  const isRunning = async (id: string): Promise<boolean> => {
    const row = await db.selectFrom("chat_imports").select("status").where("id", "=", id).executeTakeFirst();
    return row?.status === "in_progress";
  };

  /** Retries until Telegram answers and shows a wait that it asks for. Returns null if the import ended in the meantime. */
  const patiently = async <T>(
    { isOver, unlessOver, rest }: Round,
    id: string,
    ask: () => Promise<T>,
  ): Promise<T | null> => {
    for (let failures = 0; ;) {
      if (isOver() || !(await isRunning(id))) return null;
      try {
        return await unlessOver(ask());
      } catch (error) {
        const outcome = classifySendError(error);
        if (outcome.kind === "wait") {
          const until = clock.now() + outcome.seconds * 1000;
          await mine(id)
            .set({ paused_until: new Date(until).toISOString(), reason: outcome.reason })
            .execute();
          await rest(outcome.seconds * 1000, () => isRunning(id));
          await mine(id).set({ paused_until: null, reason: null }).execute();
          continue;
        }
        failures += 1;
        logger.warn({ reason: outcome.reason, failures }, "reading chats failed");
        // Wrapped, because a socket error of Telegram has the same code as one of the database.
        if (failures >= MOST_FAILURES) throw new Error("Telegram did not return the chats.", { cause: error });
        await rest(RETRY_MS);
      }
    }
  };

  const importChat = async (round: Round, job: Job, chat: PrivateChat): Promise<boolean> => {
    if (chat.peer.isContact && !job.include_contacts) return false;
    const since = Math.floor(Date.parse(job.since) / 1000);
    if (chat.lastAt < since) return false;
    const messages = await patiently(round, job.id, () => account.chats.readChat(chat, since, round.isOver));
    if (messages === null || !(await record(account.userId, { messages, readUpTo: chat.readUpTo }))) return false;
    await account.chats.keep(chat);
    return true;
  };
  const run = async (round: Round, job: Job): Promise<void> => {
    const since = Math.floor(Date.parse(job.since) / 1000);
    let place: Place = job.place ?? { after: null, scanned: 0, found: 0 };
    for (;;) {
      const { after } = place;
      const page = await patiently(round, job.id, () => account.chats.listChats(after));
      if (page === null) return;
      let { scanned, found } = place;
      for (const chat of page.chats) {
        found += Number(await importChat(round, job, chat));
        scanned += 1;
        const { numUpdatedRows } = await mine(job.id).set({ scanned, found }).executeTakeFirst();
        if (numUpdatedRows === 0n || round.isOver()) return;
      }
      const last = page.chats.findLast(({ isPinned }) => !isPinned);
      if (page.next === null || (last !== undefined && last.lastAt < since)) break;
      place = { after: page.next, scanned, found };
      await mine(job.id)
        .set({ place: JSON.stringify(place) })
        .execute();
      interrupted = { id: job.id, times: 0 };
    }
    await mine(job.id).set({ status: "completed", finished_at: clock.iso() }).execute();
    await publishEvent(deps.bus, account.userId, "inbox.changed");
  };
  return runWorker(deps, {
    name: "import",
    wakeOn: onTopic(deps, "import.requested", account.userId),
    idleMs: IDLE_MS,
    signal: account.signal,
    retryMs: () => Math.min(LAST_RETRY_MS, RETRY_MS * 2 ** Math.max(0, interrupted.times - 1)),
    onFailure: (error) => logger.warn({ err: error }, "looking for or running an import failed; retrying"),
    async work(round) {
      const job = await nextJob();
      if (job === undefined) return null;
      await run(round, job).catch(async (error: unknown) => {
        // The worker retries after a growing pause, from the current page.
        if (isDatabaseUnavailable(error)) {
          interrupted = { id: job.id, times: interrupted.id === job.id ? interrupted.times + 1 : 1 };
          if (interrupted.times < MOST_FAILURES) throw error;
        }
        logger.error({ err: error }, "an import failed");
        await mine(job.id)
          .set({ status: "failed", reason: storedReason("chat_import_failed"), finished_at: clock.iso() })
          .execute()
          .catch(() => {});
      });
      return null;
    },
  });
}
