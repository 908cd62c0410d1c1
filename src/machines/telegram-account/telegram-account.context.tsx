import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { telegramAccountMachine } from "./telegram-account.machine.ts";

const Account = createActorContext(telegramAccountMachine);

export const TelegramAccountProvider = Account.Provider;
export const useTelegramAccount = Account.useSelector;

/** What a person can do with the connected account's limits. */
export function useTelegramAccountEvents() {
  const account = Account.useActorRef();
  return useMemo(
    () => ({
      submitDailyCap: (dailyCap: number) => account.send({ type: "cap.submit", dailyCap }),
      resumeSending: () => account.send({ type: "sending.resume" }),
    }),
    [account],
  );
}
