import { createActorContext } from "@xstate/react";
import { useMemo } from "react";
import { telegramMachine } from "./telegram.machine.ts";

const Telegram = createActorContext(telegramMachine);

export const TelegramProvider = Telegram.Provider;
export const useTelegram = Telegram.useSelector;

/** What a person can do on the connect screen. */
export function useTelegramEvents() {
  const telegram = Telegram.useActorRef();
  return useMemo(
    () => ({
      chooseTab: (tab: "code" | "qr") => telegram.send({ type: "tab.choose", tab }),
      submitPhone: (phone: string) => telegram.send({ type: "phone.submit", phone }),
      submitCode: (code: string) => telegram.send({ type: "code.submit", code }),
      submitPassword: (password: string) => telegram.send({ type: "password.submit", password }),
      restart: () => telegram.send({ type: "login.restart" }),
      startQr: () => telegram.send({ type: "qr.start" }),
      cancelQr: () => telegram.send({ type: "qr.cancel" }),
      disconnect: () => telegram.send({ type: "account.disconnect" }),
    }),
    [telegram],
  );
}
