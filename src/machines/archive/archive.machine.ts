import { type SnapshotFrom, assign, setup } from "xstate";
import type { AccountImport } from "../../../domain/archive.ts";
import { failureOf } from "../../../domain/problem.ts";
import { withEvent, withOutput } from "../kit/payload.ts";
import { firstReading, type ReadingEvent } from "../kit/reading.ts";
import { failed, isUnanswered, problemOf, readFailure } from "../kit/failed.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { UPLOAD_FAILED, placeholderActors } from "./archive.actors.ts";

const NOT_DOWNLOADED = readFailure("Your data could not be downloaded. Try again.");

type ArchiveContext = {
  file: File | null;
  /** The latest import: the one under way, or how the last one ended. */
  job: AccountImport | null;
  problem: string | null;
  /** The last look at the progress got no answer. */
  isBehind: boolean;
};

/**
 * The whole account as a file that other programs read, and such a file brought into an account that is empty: checked by the server,
 * then watched until it is in. It goes on there when nobody looks.
 */
export const archiveMachine = setup({
  types: {
    context: {} as ArchiveContext,
    events: {} as
      | Extract<ReadingEvent, { type: "reading.retry" }>
      | { type: "download.request" }
      | { type: "file.choose"; file: File | null }
      | { type: "import.start" },
  },
  actors: placeholderActors,
  actions: {
    storeFile: assign((_, params: { file: File | null }) => ({ file: params.file, problem: null })),
    forgetFile: assign({ file: null }),
    storeJob: assign((_, job: AccountImport | null) => ({ job, isBehind: false })),
    storeProblem: assign(problemOf),
    askForFile: assign({ problem: "Choose the zip file first." }),
    forgetProblem: assign({ problem: null }),
    markBehind: assign({ isBehind: true }),
    saveArchive: (_args, _params: { file: Blob }) => {},
    reportFailure: unreported,
  },
  guards: {
    hasFile: ({ context }) => context.file !== null,
    isUnderWay: ({ context }) => context.job?.status === "in_progress",
    isGoingOn: (_, job: AccountImport | null) => job?.status === "in_progress",
    isUnanswered,
    isAlreadyRunning: (_, params: { error: unknown }) => failureOf(params.error).code === "account_importing",
  },
  delays: { pollPause: 2_000 },
}).createMachine({
  id: "archive",
  context: { file: null, job: null, problem: null, isBehind: false },
  initial: "loading",
  states: {
    ...firstReading({ src: "readImport", store: "storeJob", what: "the last import", shown: "resting" }),
    resting: {
      always: { guard: "isUnderWay", target: "running" },
      on: {
        "download.request": { target: "downloading", actions: "forgetProblem" },
        "file.choose": { actions: withEvent("storeFile") },
        "import.start": [{ guard: "hasFile", target: "sending", actions: "forgetProblem" }, { actions: "askForFile" }],
      },
    },
    downloading: {
      invoke: {
        id: "downloadArchive",
        src: "downloadArchive",
        onDone: {
          target: "resting",
          actions: { type: "saveArchive", params: ({ event }) => ({ file: event.output }) },
        },
        onError: { target: "resting", actions: failed(NOT_DOWNLOADED, "the archive was not downloaded") },
      },
    },
    sending: {
      invoke: {
        id: "sendArchive",
        src: "sendArchive",
        input: ({ context }) => {
          if (context.file === null) throw new Error("no file was chosen");
          return { file: context.file };
        },
        onDone: { target: "resting", actions: [withOutput("storeJob"), "forgetFile"] },
        onError: [
          // Another tab was quicker: its import is the one to watch.
          { guard: withEvent("isAlreadyRunning"), target: "loading", actions: "forgetFile" },
          {
            guard: withEvent("isUnanswered"),
            target: "loading",
            actions: failed(UPLOAD_FAILED, "an archive was not brought in"),
          },
          { target: "resting", actions: failed(UPLOAD_FAILED, "an archive was not brought in") },
        ],
      },
    },
    running: {
      initial: "waiting",
      states: {
        waiting: { after: { pollPause: "looking" } },
        looking: {
          invoke: {
            id: "pollImport",
            src: "pollImport",
            onDone: [
              { guard: withOutput("isGoingOn"), target: "waiting", actions: withOutput("storeJob") },
              { target: "#archive.resting", actions: withOutput("storeJob") },
            ],
            onError: {
              target: "waiting",
              actions: ["markBehind", reportFailure("the progress of an import could not be read")],
            },
          },
        },
      },
    },
  },
});

export type ArchiveSnapshot = SnapshotFrom<typeof archiveMachine>;
