import { type AnyEventObject, fromCallback, fromPromise } from "xstate";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { notProvided } from "../kit/not-provided.ts";

export type AccountGateway = {
  fetchAccount(signal: AbortSignal): Promise<TelegramAccount>;
  saveDailyCap(input: { dailyCap: number }, signal: AbortSignal): Promise<void>;
  resumeSending(signal: AbortSignal): Promise<void>;
};

export type AccountNews = { onAccountChanged(listener: () => void): () => void };

export const placeholderActors = {
  fetchAccount: notProvided<TelegramAccount, void>("fetchAccount"),
  saveDailyCap: notProvided<void, { dailyCap: number }>("saveDailyCap"),
  resumeSending: notProvided<void, void>("resumeSending"),
  watchAccount: fromCallback<AnyEventObject>(() => {}),
};

export const createAccountActors = (account: AccountGateway, news: AccountNews): typeof placeholderActors => ({
  fetchAccount: fromPromise(({ signal }) => account.fetchAccount(signal)),
  saveDailyCap: fromPromise(({ input, signal }) => account.saveDailyCap(input, signal)),
  resumeSending: fromPromise(({ signal }) => account.resumeSending(signal)),
  watchAccount: fromCallback(({ sendBack }) => news.onAccountChanged(() => sendBack({ type: "account.changed" }))),
});
