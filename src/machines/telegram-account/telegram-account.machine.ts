import { type SnapshotFrom, assertEvent, assign, raise, setup } from "xstate";
import type { TelegramAccount } from "../../../domain/telegram.ts";
import { type ReadingEvent, type ReadingTag, reading } from "../kit/reading.ts";
import { failed, problemOf } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import { CAP_SAVE_FAILED, RESUME_FAILED, placeholderActors } from "./telegram-account.actors.ts";

/**
 * The health of the connected account. A server that does not tell it gives none, and the screen is complete without it;
 * one that fails to is marked, and asked again on demand.
 */
export const telegramAccountMachine = setup({
  types: {
    context: {} as { account: TelegramAccount | null; problem: string | null },
    events: {} as ReadingEvent | { type: "cap.submit"; dailyCap: number } | { type: "sending.resume" },
    tags: {} as "busy" | ReadingTag,
  },
  actors: placeholderActors,
  actions: {
    storeAccount: assign((_, account: TelegramAccount | null) => ({ account })),
    storeProblem: assign(problemOf),
    forgetProblem: assign({ problem: null }),
    refresh: raise({ type: "reading.refresh" }),
    reportFailure: unreported,
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
    health: reading({ src: "fetchAccount", store: "storeAccount", what: "the account's health" }),
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

export type TelegramAccountSnapshot = SnapshotFrom<typeof telegramAccountMachine>;
