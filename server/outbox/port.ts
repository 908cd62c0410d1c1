/** Whom a message goes to: a person by Telegram's number, or '@name', '-100…' or 'me'. */
export type Recipient = { telegramUserId: string } | { channel: string };
/** What Telegram made of a send. `date` is Telegram's own, ISO. */
export type SentMessage = { messageId: number; date: string };

/** A file of ours as a sender needs it; its bytes are read only when Telegram does not hold it yet. */
export type StoredMedia = {
  id: string;
  kind: "image" | "video";
  mime: string;
  extension: string;
  load(): Promise<Uint8Array>;
};

/**
 * What the engine needs of a connected account. A call is tried once: waits and repeats are the engine's.
 * Throws `{ code, text }` when Telegram refused; anything else thrown means that the outcome is unknown.
 */
export type SendPort = {
  sendText(input: { to: Recipient; text: string; randomId: bigint }): Promise<SentMessage>;
  sendMedia(input: { to: Recipient; caption: string; media: StoredMedia; randomId: bigint }): Promise<SentMessage>;
  /** Part of a file of one of the account's messages, from `offset` on; shorter at its end. */
  readFile(messageId: number, offset: number, limit: number): Promise<Uint8Array>;
  /** Tells the network that the account has read a chat up to a message. */
  markRead(to: Recipient, messageId: number): Promise<void>;
  /**
   * What stands in the way of writing to these people, a hundred at most, as far as Telegram tells beforehand: the name of the refusal, or
   * null. Nobody hears of it.
   */
  requirementsOf(telegramUserIds: readonly string[]): Promise<(string | null)[]>;
  checkChannel(channel: string): Promise<{ ok: true; title: string } | { ok: false; reason: string }>;
};

/** An account that this process holds. `signal` aborts when it no longer does; then nothing more may be sent. */
export type SenderAccount = {
  accountId: string;
  userId: string;
  telegramUserId: string;
  fence: bigint;
  port: SendPort;
  signal: AbortSignal;
};
