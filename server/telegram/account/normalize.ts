import type { tl } from "@mtcute/core";
import type { PeerFacts, ReadMark, TelegramMessage } from "../../../domain/telegram-message.ts";
import { readMedia } from "./media.ts";

/** Telegram's own account for login codes and notices; what it writes is never read into the product. */
const SERVICE_USER = 777_000;

export type Normalized =
  | { kind: "message" | "edit"; message: tl.RawMessage; peerId: number }
  | { kind: "deletion"; messageIds: number[] }
  | { kind: "read"; mark: Pick<ReadMark, "peerId" | "messageId"> };

/** The updates the product follows: private messages, their edits and deletions, what was read elsewhere. Everything else is null. */
export function readUpdate(update: tl.TypeUpdate): Normalized | null {
  switch (update._) {
    case "updateNewMessage":
      return privateMessage("message", update.message);
    case "updateEditMessage":
      return privateMessage("edit", update.message);
    case "updateDeleteMessages":
      return { kind: "deletion", messageIds: update.messages };
    case "updateReadHistoryInbox":
      return update.peer._ === "peerUser"
        ? { kind: "read", mark: { peerId: String(update.peer.userId), messageId: update.maxId } }
        : null;
    default:
      return null;
  }
}

function privateMessage(kind: "message" | "edit", message: tl.TypeMessage): Normalized | null {
  if (message._ !== "message" || message.peerId._ !== "peerUser") return null;
  if (message.peerId.userId === SERVICE_USER) return null;
  // A reaction arrives as an edit that Telegram asks to hide: the words are the same.
  if (kind === "edit" && message.editHide === true) return null;
  return { kind, message, peerId: message.peerId.userId };
}

/** What the product keeps of a person. Without the user's data (not known to us) only the number is certain. */
export function readPeer(id: number, user: tl.RawUser | null): PeerFacts {
  const name = [user?.firstName, user?.lastName].filter(Boolean).join(" ").trim();
  return {
    id: String(id),
    name: name === "" ? null : storable(name),
    username: user?.username ?? user?.usernames?.find(({ active }) => active)?.username ?? null,
    isBot: user?.bot ?? false,
    isSelf: user?.self ?? false,
    isContact: user?.contact ?? false,
    isDeleted: user?.deleted ?? false,
  };
}

/** A message in the product's terms. */
export function readMessage(
  account: { accountId: string; userId: string; telegramUserId: string },
  message: tl.RawMessage,
  peer: PeerFacts,
): TelegramMessage {
  return {
    accountId: account.accountId,
    userId: account.userId,
    accountUserId: account.telegramUserId,
    peer,
    messageId: message.id,
    isOutgoing: message.out ?? false,
    text: storable(message.message),
    ...readMedia(message.media),
    date: isoFromSeconds(message.date),
  };
}

export const isoFromSeconds = (seconds: number) => new Date(seconds * 1000).toISOString();

/** Postgres text holds no NUL; a message with one would otherwise stand in the way of all after it. */
const storable = (text: string) => text.replaceAll("\u0000", "");
