import { createMachineContext } from "../kit/context.tsx";
import { telegramAccountMachine } from "./telegram-account.machine.ts";

const Account = createMachineContext(telegramAccountMachine, (account) => ({
  submitDailyCap: (dailyCap: number) => account.send({ type: "cap.submit", dailyCap }),
  resumeSending: () => account.send({ type: "sending.resume" }),
  retryReading: () => account.send({ type: "reading.retry" }),
}));

export const TelegramAccountProvider = Account.Provider;
export const useTelegramAccount = Account.use;
/** What a person can do with the connected account's limits. */
export const useTelegramAccountEvents = Account.useVerbs;
export const useCanTelegramAccount = Account.useCan;
