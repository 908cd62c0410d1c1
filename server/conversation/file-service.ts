import { classifySendError, isFileGone, refusalOf } from "../../domain/send-outcome.ts";
import type { Deps, Running } from "../core/deps.ts";
import type { SenderAccount } from "../outbox/port.ts";
import { keepPart, PART_BYTES } from "./file-parts.ts";

type Wanted = { messageId: string; part: number };

/**
 * Fetches files that users open, for an account that this process holds: part by part, over the account's download connection. A wait that
 * Telegram asks for here delays only files.
 */
export function startFileService(deps: Deps, account: SenderAccount): Running {
  const logger = deps.logger.child({ account: account.accountId, part: "files" });
  const queue: Wanted[] = [];
  let restUntil = 0;
  let running: Promise<void> | null = null;

  const answer = (wanted: Wanted, outcome: "ready" | "wait" | "gone" | "away", seconds = 0) =>
    deps.bus.publish("file.answered", { message_id: wanted.messageId, part: wanted.part, outcome, seconds });

  const fetch = async (wanted: Wanted): Promise<void> => {
    const left = restUntil - deps.clock.now();
    if (left > 0) return answer(wanted, "wait", Math.ceil(left / 1000));
    const { db } = deps;
    const stored = await db
      .selectFrom("file_parts")
      .select("part")
      .where("message_id", "=", wanted.messageId)
      .where("part", "=", wanted.part)
      .executeTakeFirst();
    if (stored !== undefined) return answer(wanted, "ready");
    const message = await db
      .selectFrom("messages")
      .select(["message_id", "account_user_id"])
      .where("id", "=", wanted.messageId)
      .where("owner_id", "=", account.userId)
      .executeTakeFirst();
    if (message === undefined || message.message_id === null) return answer(wanted, "gone");
    if (message.account_user_id !== account.telegramUserId) return answer(wanted, "away");
    try {
      const bytes = await account.port.readFile(message.message_id, wanted.part * PART_BYTES, PART_BYTES);
      await keepPart(deps, { ownerId: account.userId, ...wanted, bytes });
      await answer(wanted, "ready");
    } catch (error) {
      const outcome = classifySendError(error);
      logger.info({ reason: outcome.reason }, "fetching a part of a file failed");
      if (outcome.kind === "wait") restUntil = deps.clock.now() + outcome.seconds * 1000;
      if (outcome.kind === "wait") await answer(wanted, "wait", outcome.seconds);
      else await answer(wanted, isFileGone(refusalOf(error)) ? "gone" : "away");
    }
  };
  const run = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined && !account.signal.aborted; next = queue.shift())
      await fetch(next).catch((error: unknown) => logger.warn({ err: error }, "fetching a file failed"));
  };
  const off = deps.bus.on("file.wanted", ({ owner_id: ownerId, message_id: messageId, part }) => {
    if (ownerId !== account.userId) return;
    if (queue.some((wanted) => wanted.messageId === messageId && wanted.part === part)) return;
    queue.push({ messageId, part });
    running ??= deps.work.track("fetch files", run()).finally(() => (running = null));
  });
  return {
    async stop() {
      off();
      queue.length = 0;
      await running;
    },
  };
}
