import { type TelegramGateway, type TelegramNews, createTelegramActors } from "./telegram.actors.ts";
import { telegramMachine } from "./telegram.machine.ts";

export type TelegramDeps = {
  telegram: TelegramGateway;
  news: TelegramNews;
  /** Where the connected phone, and nothing else of the account, is remembered. */
  phoneMemory: { write(phone: string): void; clear(): void };
  logger: { warn(what: string, error: unknown): void };
};

/** The connect screen's chart over its outside parts. */
export const createTelegram = ({ telegram, news, phoneMemory, logger }: TelegramDeps) =>
  telegramMachine.provide({
    actors: createTelegramActors(telegram, news),
    actions: {
      rememberPhone: (_, { phone }) => phone !== null && phoneMemory.write(phone),
      forgetRememberedPhone: () => phoneMemory.clear(),
      reportFailure: (_, { what, error }) => logger.warn(what, error),
    },
  });

export { TelegramProvider, useTelegram, useTelegramEvents } from "./telegram.context.tsx";
export type { TelegramGateway, TelegramNews } from "./telegram.actors.ts";
export { type Message, type TelegramRef, type TelegramSnapshot, telegramMachine } from "./telegram.machine.ts";
export * from "./telegram.selectors.ts";
