import { failureOf } from "../../../domain/problem.ts";
import { type AccountGateway, type AccountNews, createAccountActors } from "./telegram-account.actors.ts";
import { telegramAccountMachine } from "./telegram-account.machine.ts";

export type TelegramAccountDeps = {
  account: AccountGateway;
  news: AccountNews;
  logger: { warn(what: string, error: unknown): void };
};

/** The account's health over its outside parts. A server without it (404) is no failure worth a line in the log. */
export const createTelegramAccount = ({ account, news, logger }: TelegramAccountDeps) =>
  telegramAccountMachine.provide({
    actors: createAccountActors(account, news),
    actions: {
      reportFailure: (_, { what, error }) => {
        if (failureOf(error).status !== 404) logger.warn(what, error);
      },
    },
  });

export { TelegramAccountProvider, useTelegramAccount, useTelegramAccountEvents } from "./telegram-account.context.tsx";
export type { AccountGateway, AccountNews } from "./telegram-account.actors.ts";
export { telegramAccountMachine } from "./telegram-account.machine.ts";
export * from "./telegram-account.selectors.ts";
