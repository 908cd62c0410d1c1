import { type ActorRefFrom, type SnapshotFrom, assertEvent, assign, setup } from "xstate";
import { failureOf } from "../../../domain/problem.ts";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { placeholderActors } from "./telegram-account.actors.ts";

const reportFailure: (_: unknown, params: { what: string; error: unknown }) => void = () => {};
const unheard = (what: string) => ({
  type: "reportFailure" as const,
  params: ({ event }: { event: { error: unknown } }) => ({ what, error: event.error }),
});

/**
 * The health of the connected account. A server that does not tell it leaves the panel absent, and the screen
 * complete without it.
 */
export const telegramAccountMachine = setup({
  types: {
    context: {} as { account: TelegramAccount | null; problem: string | null },
    events: {} as { type: "cap.submit"; dailyCap: number } | { type: "sending.resume" } | { type: "account.changed" },
    tags: {} as "busy",
  },
  actors: placeholderActors,
  actions: {
    storeAccount: assign((_, params: { account: TelegramAccount }) => ({ account: params.account })),
    storeProblem: assign((_, params: { text: string; error: unknown }) => ({
      problem: failureOf(params.error).message ?? params.text,
    })),
    forgetProblem: assign({ problem: null }),
    reportFailure,
  },
}).createMachine({
  id: "telegramAccount",
  context: { account: null, problem: null },
  invoke: { id: "watchAccount", src: "watchAccount" },
  initial: "loading",
  states: {
    loading: {
      // An answer on its way may be older than the news.
      on: { "account.changed": { target: "loading", reenter: true } },
      invoke: {
        id: "fetchAccount",
        src: "fetchAccount",
        onDone: {
          target: "known",
          actions: { type: "storeAccount", params: ({ event }) => ({ account: event.output }) },
        },
        onError: { target: "absent", actions: unheard("the account's health is not known") },
      },
    },
    absent: { on: { "account.changed": "loading" } },
    known: {
      initial: "resting",
      states: {
        resting: {
          on: {
            "cap.submit": { target: "savingCap", actions: "forgetProblem" },
            "sending.resume": { target: "resuming", actions: "forgetProblem" },
            "account.changed": "refreshing",
          },
        },
        refreshing: {
          on: { "account.changed": { target: "refreshing", reenter: true } },
          invoke: {
            id: "refreshAccount",
            src: "fetchAccount",
            onDone: {
              target: "resting",
              actions: { type: "storeAccount", params: ({ event }) => ({ account: event.output }) },
            },
            onError: { target: "resting", actions: unheard("the account's health was not refreshed") },
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
            onDone: "refreshing",
            onError: {
              target: "resting",
              actions: {
                type: "storeProblem",
                params: ({ event }) => ({ text: "The daily limit was not saved. Try again.", error: event.error }),
              },
            },
          },
        },
        resuming: {
          tags: "busy",
          invoke: {
            id: "resumeSending",
            src: "resumeSending",
            onDone: "refreshing",
            onError: {
              target: "resting",
              actions: {
                type: "storeProblem",
                params: ({ event }) => ({ text: "Sending was not resumed. Try again.", error: event.error }),
              },
            },
          },
        },
      },
    },
  },
});

export type TelegramAccountRef = ActorRefFrom<typeof telegramAccountMachine>;
export type TelegramAccountSnapshot = SnapshotFrom<typeof telegramAccountMachine>;
