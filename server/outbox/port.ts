import type { MessageFile } from "../../domain/telegram-message.ts";

/** The recipient: a Telegram user id, or '@name', '-100…' or 'me'. */
export type Recipient = { telegramUserId: string } | { channel: string };
/**
 * Telegram's response to a send. `date` is Telegram's time, ISO. `photo` describes Telegram's re-encoded copy of a photo; null for other
 * files, which do not change.
 */
export type SentMessage = { messageId: number; date: string; photo: MessageFile | null };

/** A stored file to send. Its bytes are read only when Telegram does not have it yet. */
export type StoredMedia = {
  id: string;
  kind: "image" | "video";
  mime: string;
  extension: string;
  load(): Promise<Uint8Array>;
};

/**
 * What the engine needs of a connected account. Each call is tried once; the engine does waits and retries.
 * Throws `{ code, text }` when Telegram refused; anything else thrown means that the outcome is unknown.
 */
export type SendPort = {
  sendText(input: { to: Recipient; text: string; randomId: bigint }): Promise<SentMessage>;
  sendMedia(input: { to: Recipient; caption: string; media: StoredMedia; randomId: bigint }): Promise<SentMessage>;
  /** Reads a part of a message's file from `offset`; the last part is shorter. */
  readFile(messageId: number, offset: number, limit: number): Promise<Uint8Array>;
  /** Marks a chat as read up to a message. */
  markRead(to: Recipient, messageId: number): Promise<void>;
  /**
   * Checks whether these people, a hundred at most, can be written to: the name of the expected refusal, or null. They are not notified.
   */
  requirementsOf(telegramUserIds: readonly string[]): Promise<(string | null)[]>;
  checkChannel(channel: string): Promise<{ ok: true; title: string } | { ok: false; reason: string }>;
};

/** An account that this process holds. `signal` aborts when it loses the account; nothing may be sent after that. */
export type SenderAccount = {
  accountId: string;
  userId: string;
  telegramUserId: string;
  fence: bigint;
  port: SendPort;
  signal: AbortSignal;
};
