import type { MessageKind } from "./message.ts";

/** A message's file, as described by Telegram or by our database. */
export type MessageFile = {
  mime: string | null;
  name: string | null;
  size: number | null;
  width: number | null;
  height: number | null;
  seconds: number | null;
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

/** A private message of the account, in either direction, as the intake stores it. */
export type TelegramMessage = {
  accountId: string;
  /** the owner in Leadloom */
  userId: string;
  /** the connected account's own Telegram number */
  accountUserId: string;
  peer: PeerFacts;
  messageId: number;
  isOutgoing: boolean;
  text: string;
  kind: MessageKind;
  /** Telegram's description of the file; null if there is none to load */
  media: MessageFile | null;
  /** the tiny picture that comes along with a file */
  preview: Uint8Array | null;
  date: string;
};
export type EditedMessage = TelegramMessage & { editedAt: string };
/** Telegram numbers private messages per account, so account and number identify one. */
export type DeletedMessages = {
  accountId: string;
  userId: string;
  accountUserId: string;
  messageIds: number[];
  at: string;
};

/** Everything of a conversation up to that message was read. */
export type ReadMark = { userId: string; accountUserId: string; peerId: string; messageId: number };
