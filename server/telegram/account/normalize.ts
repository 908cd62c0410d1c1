import type { tl } from "@mtcute/core";
import type { PeerFacts, ReadMark, TelegramMessage } from "../../../domain/telegram-message.ts";
import { readMedia } from "./media.ts";

/** Telegram's own account for login codes and notices; its messages are ignored. */
const SERVICE_USER = 777_000;

export type Normalized =
  | { kind: "message" | "edit"; message: tl.RawMessage; peerId: number }
  | { kind: "deletion"; messageIds: number[] }
  | { kind: "read"; mark: Pick<ReadMark, "peerId" | "messageId"> };

/**
 * Converts the updates that the product uses: private messages, their edits and deletions, reads on other devices. Returns null for all
 * others.
 */
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
  // A reaction arrives as an edit with `editHide`; the text is unchanged.
  if (kind === "edit" && message.editHide === true) return null;
  return { kind, message, peerId: message.peerId.userId };
}

/** Returns the stored facts of a user. Without the user's data only the id is known. */
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

/** Postgres text cannot contain NUL; such a message would block all later ones. */
const storable = (text: string) => text.replaceAll("\u0000", "");
