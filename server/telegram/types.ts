import type { Running } from "../core/deps.ts";

/** Whom a message goes to: a person by Telegram's number, or '@name', '-100…' or 'me'. */
export type Recipient = { telegramUserId: string } | { channel: string };

/** What Telegram made of a send. `date` is Telegram's own, ISO. */
export type SentMessage = { messageId: number; date: string };

/** An uploaded file of ours; its bytes are read only when Telegram does not hold it yet. */
export type StoredMedia = {
  id: string;
  kind: "image" | "video";
  mime: string;
  extension: string;
  load(): Promise<Uint8Array>;
};

/**
 * What the engine may do with a connected account. Calls are tried once: waits and repeats are the caller's.
 * @throws TelegramCallError when Telegram (or the address book) refused; anything else means that the outcome is unknown
 */
export type AccountPort = {
  sendText(input: { to: Recipient; text: string; randomId: bigint }): Promise<SentMessage>;
  sendMedia(input: { to: Recipient; caption: string; media: StoredMedia; randomId: bigint }): Promise<SentMessage>;
  checkChannel(channel: string): Promise<{ ok: true; title: string } | { ok: false; reason: string }>;
};

/** An account that this process holds. `signal` aborts when it no longer does; then nothing more may be sent. */
export type LeasedAccount = {
  accountId: string;
  userId: string;
  telegramUserId: string;
  fence: bigint;
  port: AccountPort;
  signal: AbortSignal;
};

export type PeerFacts = {
  id: string;
  name: string | null;
  username: string | null;
  isBot: boolean;
  isSelf: boolean;
  isContact: boolean;
  isDeleted: boolean;
};

/** A message of the account, in either direction, as the intake stores it. */
export type TelegramMessage = {
  accountId: string;
  /** the owner in our product */
  userId: string;
  /** the connected account's own Telegram number */
  accountUserId: string;
  /** only private chats are handed on today; the intake decides by it all the same */
  chatType: "private" | "group";
  peer: PeerFacts;
  messageId: number;
  isOutgoing: boolean;
  text: string;
  mediaType: string | null;
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

/**
 * What the keeper calls. Messages of one account come in order, those that follow each other together; they are acknowledged to Telegram
 * only after the promise resolved, and are given again when it rejected or the process died: storing must be idempotent.
 */
export type AccountListeners = {
  onLeased(account: LeasedAccount): Promise<Running>;
  onIncoming(messages: readonly [TelegramMessage, ...TelegramMessage[]]): Promise<void>;
  onEdited(message: EditedMessage): Promise<void>;
  onDeleted(messages: DeletedMessages): Promise<void>;
};
