import type { Running } from "../core/deps.ts";
import type {
  DeletedMessages,
  EditedMessage,
  PeerFacts,
  ReadMark,
  TelegramMessage,
} from "../../domain/telegram-message.ts";
import type { SenderAccount } from "../outbox/port.ts";

/**
 * The end of a page of chats, as Telegram needs it for the next one: date and id of the last chat's newest message, the chat's marked id
 * and access hash.
 */
export type ChatPlace = { date: number; id: number; peerId: number; accessHash?: string };
/** A private chat: time (seconds) and id of its newest message; `readUpTo` is the id of the last message read. */
export type PrivateChat = { peer: PeerFacts; lastAt: number; lastId: number; isPinned: boolean; readUpTo: number };
export type ChatsPage = { chats: PrivateChat[]; next: ChatPlace | null };
/** Up to a hundred messages of a chat, newest first. `older` requests the next page; null at the start of the chat. Dates in seconds. */
export type HistoryPage = { messages: TelegramMessage[]; older: number | null; oldestDate: number };
/** Reads existing chats, as returned by `listChats`. Calls are tried once and throw `{ code, text }` when Telegram refuses. */
export type ChatReader = {
  listChats(after: ChatPlace | null): Promise<ChatsPage>;
  /** @param before the id of the message before which the page ends, 0 for the newest page */
  readPage(chat: PrivateChat, before: number): Promise<HistoryPage>;
  /** Returns the chat's messages since a time in seconds, oldest first, at most 10,000; null if `isOver` returns true first. */
  readChat(chat: PrivateChat, sinceSeconds: number, isOver: () => boolean): Promise<TelegramMessage[] | null>;
  /** Stores the access hash of the chat's peer once the product needs it; no later update brings it again. */
  keep(chat: PrivateChat): Promise<void>;
};
/** An account that this process holds, with its existing chats. */
export type HeldAccount = SenderAccount & { chats: ChatReader };

/**
 * Called by the keeper. Messages of an account come in order, consecutive ones together. They are acknowledged to Telegram after the
 * promise resolves, and repeated if it rejects or the process dies, so storing must be idempotent.
 */
export type AccountListeners = {
  onLeased(account: HeldAccount): Promise<Running>;
  onIncoming(messages: readonly [TelegramMessage, ...TelegramMessage[]]): Promise<void>;
  onEdited(message: EditedMessage): Promise<void>;
  onDeleted(messages: DeletedMessages): Promise<void>;
  /** the user read a conversation on another device */
  onRead(read: ReadMark): Promise<void>;
};
