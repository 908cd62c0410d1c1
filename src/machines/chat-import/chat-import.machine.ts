import { type SnapshotFrom, assign, setup } from "xstate";
import { type ChatImport, IMPORT_MAX_DAYS } from "../../../domain/chat-import.ts";
import { failureOf } from "../../../domain/problem.ts";
import { firstReading, type ReadingEvent } from "../kit/reading.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { NOT_CANCELLED, NOT_STARTED, placeholderActors } from "./chat-import.actors.ts";

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
    storeProblem: assign((_, params: { error: unknown; words: string }) => ({
      problem: failureOf(params.error).message ?? params.words,
    })),
    forgetProblem: assign({ problem: null }),
    markBehind: assign({ isBehind: true }),
    reportFailure: unreported,
  },
  guards: {
    isUnderWay: ({ context }) => context.job?.status === "in_progress",
    isGoingOn: (_, job: ChatImport | null) => job?.status === "in_progress",
    isPossible: ({ context }) => isWholeDays(context.days),
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
        "days.change": { actions: { type: "storeDays", params: ({ event }) => event } },
        "contacts.change": { actions: { type: "storeContacts", params: ({ event }) => event } },
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
        onDone: { target: "resting", actions: { type: "storeJob", params: ({ event }) => event.output } },
        onError: [
          // Another tab was quicker: its import is the one to watch.
          { guard: { type: "isAlreadyRunning", params: ({ event }) => event }, target: "loading" },
          {
            target: "resting",
            actions: [
              { type: "storeProblem", params: ({ event }) => ({ error: event.error, words: NOT_STARTED }) },
              reportFailure("an import of chats was not started"),
            ],
          },
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
              {
                guard: { type: "isGoingOn", params: ({ event }) => event.output },
                target: "waiting",
                actions: { type: "storeJob", params: ({ event }) => event.output },
              },
              {
                target: "#chatImport.resting",
                actions: { type: "storeJob", params: ({ event }) => event.output },
              },
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
        onDone: { target: "resting", actions: { type: "storeJob", params: ({ event }) => event.output } },
        onError: {
          target: "running",
          actions: [
            { type: "storeProblem", params: ({ event }) => ({ error: event.error, words: NOT_CANCELLED }) },
            reportFailure("an import of chats was not cancelled"),
          ],
        },
      },
    },
  },
});

export type ChatImportSnapshot = SnapshotFrom<typeof chatImportMachine>;
