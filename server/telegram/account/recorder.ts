import type { PeersIndex } from "@mtcute/core";
import type { BaseTelegramClient } from "@mtcute/node";
import type { Clock } from "../../core/clock.ts";
import type { PeerFacts, ReadMark, TelegramMessage } from "../../../domain/telegram-message.ts";
import type { AccountListeners } from "../types.ts";
import { isoFromSeconds, readMessage, readPeer, type Normalized } from "./normalize.ts";

export type LinkedAccount = { accountId: string; userId: string; telegramUserId: string };

/** An update, messages read from a chat, or a gap to read from the chats (since, in seconds). */
export type RecordedUpdate =
  | { update: Normalized; peers: PeersIndex }
  | { message: TelegramMessage }
  | { read: { peerId: string; messageId: number } }
  | { missedSince: number };

/** Stores an account's updates in the product's types; consecutive messages are stored together. */
export function createRecorder(options: {
  account: LinkedAccount;
  clock: Clock;
  listeners: Pick<AccountListeners, "onIncoming" | "onEdited" | "onDeleted" | "onRead">;
  client: () => BaseTelegramClient;
  onActivity: () => void;
  /** too many updates were missed to be listed */
  onMissed: (since: number) => Promise<void>;
}): (batch: readonly RecordedUpdate[]) => Promise<void> {
  const { account, clock, listeners } = options;

  const findPeer = async (id: number, peers: PeersIndex | null): Promise<PeerFacts> => {
    const given = peers?.users.get(id);
    const isWhole = given?._ === "user" && given.min !== true;
    const known = isWhole ? given : await options.client().storage.peers.getCompleteById(id, true);
    if (known?._ === "user") return readPeer(id, known);
    return readPeer(id, given?._ === "user" ? given : null);
  };
  return async (batch) => {
    let messages: TelegramMessage[] = [];
    const handOn = async () => {
      const [first, ...rest] = messages;
      messages = [];
      if (first !== undefined) await listeners.onIncoming([first, ...rest]);
    };
    const handOnRead = async (mark: Pick<ReadMark, "peerId" | "messageId">) => {
      await handOn();
      await listeners.onRead({ userId: account.userId, accountUserId: account.telegramUserId, ...mark });
    };
    for (const entry of batch) {
      if ("missedSince" in entry) {
        await options.onMissed(entry.missedSince);
        continue;
      }
      if ("message" in entry) {
        messages.push(entry.message);
        continue;
      }
      if ("read" in entry) {
        await handOnRead(entry.read);
        continue;
      }
      const { update } = entry;
      options.onActivity();
      if (update.kind === "deletion") {
        await handOn();
        const { accountId, userId, telegramUserId } = account;
        const { messageIds } = update;
        await listeners.onDeleted({ accountId, userId, accountUserId: telegramUserId, messageIds, at: clock.iso() });
        continue;
      }
      if (update.kind === "read") {
        await handOnRead(update.mark);
        continue;
      }
      const message = readMessage(account, update.message, await findPeer(update.peerId, entry.peers));
      if (update.kind === "message") {
        messages.push(message);
        continue;
      }
      await handOn();
      await listeners.onEdited({
        ...message,
        editedAt: isoFromSeconds(update.message.editDate ?? update.message.date),
      });
    }
    await handOn();
  };
}
