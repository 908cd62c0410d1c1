import type { TelegramMessage } from "../../domain/telegram-message.ts";

type Known = Pick<TelegramMessage, "userId" | "text" | "date"> & {
  accountUserId?: string;
  accountId?: string;
  messageId?: number;
  isOutgoing?: boolean;
  peer: Partial<TelegramMessage["peer"]>;
};

let numbers = 10_000;

/** Creates a message as Telegram sends it, with a new id unless one is given. */
export const telegramMessage = ({ peer, ...known }: Known): TelegramMessage => ({
  accountId: "00000000-0000-4000-8000-000000000001",
  accountUserId: "1000",
  messageId: (numbers += 1),
  kind: "text",
  media: null,
  preview: null,
  isOutgoing: false,
  ...known,
  peer: {
    id: "42",
    name: "Ann Lee",
    username: null,
    isBot: false,
    isSelf: false,
    isContact: false,
    isDeleted: false,
    ...peer,
  },
});
