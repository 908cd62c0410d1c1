import { createReporter } from "../kit/reporting.ts";
import type { WritingDeps } from "../kit/writing.ts";
import { type PendingLogin, type TelegramGateway, type TelegramNews, createTelegramActors } from "./telegram.actors.ts";
import { telegramMachine } from "./telegram.machine.ts";

export type TelegramDeps = WritingDeps & {
  telegram: TelegramGateway;
  news: TelegramNews;
  /** Where the connected phone, and nothing else of the account, is remembered. */
  phoneMemory: { write(phone: string): void; clear(): void };
  /** Where a login by code is kept over a reload. */
  loginMemory: { write(login: PendingLogin): void; clear(): void };
};

/** The connect screen's chart over its outside parts. */
export const createTelegram = ({ telegram, news, phoneMemory, loginMemory, ...page }: TelegramDeps) =>
  telegramMachine.provide({
    actors: createTelegramActors(telegram, news, page),
    actions: {
      rememberPhone: (_, { phone }) => phone !== null && phoneMemory.write(phone),
      rememberLogin: (_, login) => loginMemory.write(login),
      forgetLoginStep: () => loginMemory.clear(),
      forgetRememberedPhone: () => phoneMemory.clear(),
      reportFailure: createReporter(page.logger),
    },
  });

export { TelegramProvider, useCanTelegram, useTelegram, useTelegramEvents } from "./telegram.context.tsx";
export type { PendingLogin, TelegramGateway, TelegramNews } from "./telegram.actors.ts";
export { telegramMachine } from "./telegram.machine.ts";
export * from "./telegram.selectors.ts";
