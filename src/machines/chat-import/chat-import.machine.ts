import { type SnapshotFrom, assign, setup } from "xstate";
import { type ChatImport, IMPORT_MAX_DAYS } from "../../../domain/chat-import.ts";
import { failureOf } from "../../../domain/problem.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { firstReading, type ReadingEvent } from "../kit/reading.ts";
import { failed, isUnanswered, problemOf } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { CANCEL_FAILED, START_FAILED, placeholderActors } from "./chat-import.actors.ts";

type ChatImportContext = {
  /** As typed. */
  days: string;
  includesContacts: boolean;
  /** The latest import: the one under way, or how the last one ended. */
  job: ChatImport | null;
  problem: string | null;
  /** The last look at the progress got no answer. */
  isBehind: boolean;
};

const isWholeDays = (days: string) =>
  /^\d{1,3}$/.test(days.trim()) && Number(days) >= 1 && Number(days) <= IMPORT_MAX_DAYS;

/**
 * Existing chats become leads, on the person's word alone: one import at a time, watched until it ends, paused while Telegram asks for
 * it, and cancelled when the person wants. It goes on at the server when nobody looks.
 */
export const chatImportMachine = setup({
  types: {
    context: {} as ChatImportContext,
    events: {} as
      | Extract<ReadingEvent, { type: "reading.retry" }>
      | { type: "days.change"; days: string }
      | { type: "contacts.change"; isIncluded: boolean }
      | { type: "import.start" }
      | { type: "import.cancel" },
  },
  actors: placeholderActors,
  actions: {
    storeDays: assign((_, params: { days: string }) => ({ days: params.days, problem: null })),
    storeContacts: assign((_, params: { isIncluded: boolean }) => ({ includesContacts: params.isIncluded })),
    storeJob: assign((_, job: ChatImport | null) => ({ job, isBehind: false })),
    refuseDays: assign({ problem: `Write a whole number of days from 1 to ${IMPORT_MAX_DAYS}.` }),
    storeProblem: assign(problemOf),
    forgetProblem: assign({ problem: null }),
    markBehind: assign({ isBehind: true }),
    reportFailure: unreported,
  },
  guards: {
    isUnderWay: ({ context }) => context.job?.status === "in_progress",
    isGoingOn: (_, job: ChatImport | null) => job?.status === "in_progress",
    isPossible: ({ context }) => isWholeDays(context.days),
    isUnanswered,
    isAlreadyRunning: (_, params: { error: unknown }) => failureOf(params.error).code === "import_running",
  },
  delays: { pollPause: 2_000 },
}).createMachine({
  id: "chatImport",
  context: { days: "30", includesContacts: true, job: null, problem: null, isBehind: false },
  initial: "loading",
  states: {
    ...firstReading({ src: "readImport", store: "storeJob", what: "the import of chats", shown: "resting" }),
    resting: {
      always: { guard: "isUnderWay", target: "running" },
      on: {
        "days.change": { actions: withEvent("storeDays") },
        "contacts.change": { actions: withEvent("storeContacts") },
        "import.start": [
          { guard: "isPossible", target: "starting", actions: "forgetProblem" },
          { actions: "refuseDays" },
        ],
      },
    },
    starting: {
      invoke: {
        id: "orderImport",
        src: "orderImport",
        input: ({ context }) => ({ days: Number(context.days), include_contacts: context.includesContacts }),
        onDone: { target: "resting", actions: withOutput("storeJob") },
        onError: [
          // Another tab was quicker: its import is the one to watch.
          { guard: withEvent("isAlreadyRunning"), target: "loading" },
          {
            guard: withEvent("isUnanswered"),
            target: "loading",
            actions: failed(START_FAILED, "an import of chats was not started"),
          },
          { target: "resting", actions: failed(START_FAILED, "an import of chats was not started") },
        ],
      },
    },
    running: {
      initial: "waiting",
      on: { "import.cancel": { target: "cancelling", actions: "forgetProblem" } },
      states: {
        waiting: { after: { pollPause: "looking" } },
        looking: {
          invoke: {
            id: "pollImport",
            src: "pollImport",
            onDone: [
              { guard: withOutput("isGoingOn"), target: "waiting", actions: withOutput("storeJob") },
              { target: "#chatImport.resting", actions: withOutput("storeJob") },
            ],
            onError: {
              target: "waiting",
              actions: ["markBehind", reportFailure("the progress of an import could not be read")],
            },
          },
        },
      },
    },
    cancelling: {
      invoke: {
        id: "cancelImport",
        src: "cancelImport",
        onDone: { target: "resting", actions: withOutput("storeJob") },
        onError: { target: "running.looking", actions: failed(CANCEL_FAILED, "an import of chats was not cancelled") },
      },
    },
  },
});

export type ChatImportSnapshot = SnapshotFrom<typeof chatImportMachine>;
