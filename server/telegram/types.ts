import type { Running } from "../core/deps.ts";
import type {
  DeletedMessages,
  EditedMessage,
  PeerFacts,
  ReadMark,
  TelegramMessage,
} from "../../domain/telegram-message.ts";
import type { SenderAccount } from "../outbox/port.ts";

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
