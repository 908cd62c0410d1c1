import type { Running } from "../core/deps.ts";
import type { MessageKind } from "../../domain/message.ts";
import type { MessageFile } from "../db/tables/core.ts";
import type { SenderAccount } from "../outbox/index.ts";

export type PeerFacts = {
  id: string;
  name: string | null;
  username: string | null;
  isBot: boolean;
  isSelf: boolean;
  isContact: boolean;
  isDeleted: boolean;
};

/** A private message of the account, in either direction, as the intake stores it. */
export type TelegramMessage = {
  accountId: string;
  /** the owner in our product */
  userId: string;
  /** the connected account's own Telegram number */
  accountUserId: string;
  peer: PeerFacts;
  messageId: number;
  isOutgoing: boolean;
  text: string;
  kind: MessageKind;
  /** what Telegram says of the file; null where there is none to load */
  media: MessageFile | null;
  /** the tiny picture that comes along with a file */
  preview: Uint8Array | null;
  date: string;
};
export type EditedMessage = TelegramMessage & { editedAt: string };
/** Telegram numbers private messages within the account, so account and number suffice. */
export type DeletedMessages = {
  accountId: string;
  userId: string;
  accountUserId: string;
  messageIds: number[];
  at: string;
};

/** Where a page of chats ends, as Telegram wants to be asked for the next: the last one's newest message, the chat's marked id and access hash. */
export type ChatPlace = { date: number; id: number; peerId: number; accessHash?: string };
/** A private chat at Telegram: of its newest message the time (seconds) and the number; `readUpTo` is the number of the last that was read. */
export type PrivateChat = { peer: PeerFacts; lastAt: number; lastId: number; isPinned: boolean; readUpTo: number };
export type ChatsPage = { chats: PrivateChat[]; next: ChatPlace | null };
/** Up to a hundred messages of a chat, the newest first; `older` asks for the next page, null at the chat's beginning. Dates in seconds. */
export type HistoryPage = { messages: TelegramMessage[]; older: number | null; oldestDate: number };
/** Reads existing chats, as `listChats` gave them. Calls are tried once and throw `{ code, text }` when Telegram refuses. */
export type ChatReader = {
  listChats(after: ChatPlace | null): Promise<ChatsPage>;
  /** @param before the number of the message before which the page begins, 0 for the newest page */
  readPage(chat: PrivateChat, before: number): Promise<HistoryPage>;
  /** Its messages since a time in seconds, oldest first, 10,000 at most. */
  readChat(chat: PrivateChat, sinceSeconds: number): Promise<TelegramMessage[]>;
  /** Stores how the chat's person is addressed, once the product deals with them: nothing else may bring it again. */
  keep(chat: PrivateChat): Promise<void>;
};
/** An account that this process holds, with its existing chats. */
export type HeldAccount = SenderAccount & { chats: ChatReader };

/** Everything of a conversation up to that message was read. */
export type ReadMark = { userId: string; accountUserId: string; peerId: string; messageId: number };

/**
 * What the keeper calls. Messages of one account come in order, those that follow each other together; they are acknowledged to Telegram
 * only after the promise resolved, and are given again when it rejected or the process died: storing must be idempotent.
 */
export type AccountListeners = {
  onLeased(account: HeldAccount): Promise<Running>;
  onIncoming(messages: readonly [TelegramMessage, ...TelegramMessage[]]): Promise<void>;
  onEdited(message: EditedMessage): Promise<void>;
  onDeleted(messages: DeletedMessages): Promise<void>;
  /** the person read a conversation on another device */
  onRead(read: ReadMark): Promise<void>;
};
