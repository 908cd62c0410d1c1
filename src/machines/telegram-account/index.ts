import { createReporter } from "../kit/reporting.ts";
import type { WritingDeps } from "../kit/writing.ts";
import { type AccountGateway, type AccountNews, createAccountActors } from "./telegram-account.actors.ts";
import { telegramAccountMachine } from "./telegram-account.machine.ts";

export type TelegramAccountDeps = WritingDeps & { account: AccountGateway; news: AccountNews };

/** The account's health over its outside parts. */
export const createTelegramAccount = ({ account, news, ...page }: TelegramAccountDeps) =>
  telegramAccountMachine.provide({
    actors: createAccountActors(account, news, page),
    actions: { reportFailure: createReporter(page.logger) },
  });

export {
  TelegramAccountProvider,
  useCanTelegramAccount,
  useTelegramAccount,
  useTelegramAccountEvents,
} from "./telegram-account.context.tsx";
export type { AccountGateway, AccountNews } from "./telegram-account.actors.ts";
export { telegramAccountMachine } from "./telegram-account.machine.ts";
export * from "./telegram-account.selectors.ts";
