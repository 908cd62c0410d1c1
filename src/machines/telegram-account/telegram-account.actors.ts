import { fromPromise } from "xstate";
import { failureOf } from "../../../domain/problem.ts";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { notProvided } from "../kit/not-provided.ts";
import { unwatched, watchingReturns } from "../kit/reading.ts";
import type { FailureText } from "../kit/failed.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

export type AccountGateway = {
  fetchAccount(signal: AbortSignal): Promise<TelegramAccount>;
  saveDailyCap(input: { dailyCap: number }): Promise<void>;
  resumeSending(): Promise<void>;
};

export type AccountNews = { onAccountChanged(listener: () => void): () => void };

export const CAP_SAVE_FAILED: FailureText = {
  refused: "The daily limit was not saved. Try again.",
  unknown: "The daily limit may have been saved.",
};
export const RESUME_FAILED: FailureText = {
  refused: "Sending was not resumed. Try again.",
  unknown: "Sending may have been resumed.",
};

export const placeholderActors = {
  fetchAccount: notProvided<TelegramAccount | null, void>("fetchAccount"),
  saveDailyCap: notProvided<void, { dailyCap: number }>("saveDailyCap"),
  resumeSending: notProvided<void, void>("resumeSending"),
  watchAccount: unwatched,
};

export const createAccountActors = (
  account: AccountGateway,
  news: AccountNews,
  page: WritingDeps,
): typeof placeholderActors => ({
  fetchAccount: fromPromise(async ({ signal }) => {
    try {
      return await account.fetchAccount(signal);
    } catch (error) {
      if (failureOf(error).status === 404) return null; // a server that does not tell it is no failure
      throw error;
    }
  }),
  saveDailyCap: writing(page, (input: { dailyCap: number }) => account.saveDailyCap(input), {
    done: "Daily limit saved.",
    failed: CAP_SAVE_FAILED,
  }),
  resumeSending: writing(page, (_input: void) => account.resumeSending(), {
    done: "Sending resumed.",
    failed: RESUME_FAILED,
  }),
  watchAccount: watchingReturns((listener) => news.onAccountChanged(listener)),
});
