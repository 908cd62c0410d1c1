import { msg } from "@lingui/core/runtime-macro";
import { assertEvent, assign, raise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { createTelegramGateway } from "../../services/telegram.ts";
import { createChart } from "../kit/chart.ts";
import { type ReadingEvent, type ReadingTag, fetching } from "../kit/loading.ts";
import { type Page, createReporter } from "../kit/page.ts";
import { loadRegion, watchingReturns } from "../kit/refreshing.ts";
import { type FailureText, failed, problemOf, writing } from "../kit/writing.ts";

type TelegramAccountParts = {
  account?: Pick<ReturnType<typeof createTelegramGateway>, "fetchAccount" | "saveDailyCap" | "resumeSending">;
};

const CAP_SAVE_FAILED: FailureText = {
  refused: msg`The daily limit was not saved. Try again.`,
  unknown: msg`The daily limit may have been saved.`,
};
const RESUME_FAILED: FailureText = {
  refused: msg`Sending was not resumed. Try again.`,
  unknown: msg`Sending may have been resumed.`,
};

/**
 * The health of the connected account: its limits, and whether sending is stopped. There is no account when the server does not know the
 * call; other failures are shown and can be retried.
 */
export const createTelegramAccount = (
  page: Page,
  { account = createTelegramGateway(page.http) }: TelegramAccountParts = {},
) =>
  setup({
    types: {
      context: {} as { account: TelegramAccount | null; problem: UiTextOrString | null },
      events: {} as ReadingEvent | { type: "cap.submit"; dailyCap: number } | { type: "sending.resume" },
      tags: {} as "busy" | ReadingTag,
    },
    actors: {
      fetchAccount: fetching(account.fetchAccount),
      saveDailyCap: writing(page, account.saveDailyCap, { done: msg`Daily limit saved.`, failed: CAP_SAVE_FAILED }),
      resumeSending: writing(page, account.resumeSending, { done: msg`Sending resumed.`, failed: RESUME_FAILED }),
      watchAccount: watchingReturns((listener) => page.events.subscribe("telegram.changed", listener)),
    },
    actions: {
      storeAccount: assign((_, stored: TelegramAccount | null) => ({ account: stored })),
      storeProblem: assign(problemOf),
      forgetProblem: assign({ problem: null }),
      refresh: raise({ type: "reading.refresh" }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      hasAccount: ({ context }) => context.account !== null,
      isStopped: ({ context }) => context.account !== null && context.account.stopped_reason !== null,
    },
  }).createMachine({
    id: "telegramAccount",
    context: { account: null, problem: null },
    invoke: { id: "watchAccount", src: "watchAccount" },
    type: "parallel",
    states: {
      health: loadRegion({ src: "fetchAccount", store: "storeAccount", what: msg`the account's health` }),
      work: {
        initial: "resting",
        states: {
          resting: {
            on: {
              "cap.submit": { guard: "hasAccount", target: "savingCap", actions: "forgetProblem" },
              "sending.resume": { guard: "isStopped", target: "resuming", actions: "forgetProblem" },
            },
          },
          savingCap: {
            tags: "busy",
            invoke: {
              id: "saveDailyCap",
              src: "saveDailyCap",
              input: ({ event }) => {
                assertEvent(event, "cap.submit");
                return { dailyCap: event.dailyCap };
              },
              onDone: { target: "resting", actions: "refresh" },
              onError: {
                target: "resting",
                actions: [...failed(CAP_SAVE_FAILED, "the daily limit was not saved"), "refresh"],
              },
            },
          },
          resuming: {
            tags: "busy",
            invoke: {
              id: "resumeSending",
              src: "resumeSending",
              onDone: { target: "resting", actions: "refresh" },
              onError: {
                target: "resting",
                actions: [...failed(RESUME_FAILED, "sending was not resumed"), "refresh"],
              },
            },
          },
        },
      },
    },
  });

export const ConnectedAccount = createChart<typeof createTelegramAccount>("Telegram account");
