import { createMachineContext } from "../kit/context.tsx";
import { telegramMachine } from "./telegram.machine.ts";

const Telegram = createMachineContext(telegramMachine, (telegram) => ({
  chooseTab: (tab: "code" | "qr") => telegram.send({ type: "tab.choose", tab }),
  submitPhone: (phone: string) => telegram.send({ type: "phone.submit", phone }),
  submitCode: (code: string) => telegram.send({ type: "code.submit", code }),
  submitPassword: (password: string) => telegram.send({ type: "password.submit", password }),
  restart: () => telegram.send({ type: "login.restart" }),
  startQr: () => telegram.send({ type: "qr.start" }),
  cancelQr: () => telegram.send({ type: "qr.cancel" }),
  disconnect: () => telegram.send({ type: "account.disconnect" }),
  retryReading: () => telegram.send({ type: "reading.retry" }),
}));

export const TelegramProvider = Telegram.Provider;
export const useTelegram = Telegram.use;
/** What a person can do on the connect screen. */
export const useTelegramEvents = Telegram.useVerbs;
export const useCanTelegram = Telegram.useCan;
