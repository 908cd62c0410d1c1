import { reasonOf } from "../../../domain/stored-reasons.ts";
import { msg, plural } from "@lingui/core/runtime-macro";
import { assign, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import type { AccountImport } from "../../../domain/archive.ts";
import { failureOf } from "../../../domain/problem.ts";
import { createArchiveGateway } from "../../services/archive.ts";
import { saveFile } from "../../services/browser.ts";
import { sentences } from "../../language/joining.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { following } from "../bulk-job/bulk-job.following.ts";
import { type ReadingEvent, fetching, initialLoad } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { type FailureText, failed, isUnanswered, problemOf, readFailure, writing } from "../kit/writing.ts";
import { dateText } from "../../language/format.ts";

type ArchiveParts = {
  archive?: ReturnType<typeof createArchiveGateway>;
  /** Saves a file on the user's device. */
  save?: typeof saveFile;
};

const NOT_DOWNLOADED = readFailure(msg`Your data could not be downloaded. Try again.`);

const UPLOAD_FAILED: FailureText = {
  refused: msg`The file could not be sent. Try again.`,
  unknown: msg`The import may have started.`,
};

const STOP_FAILED: FailureText = {
  refused: msg`The import was not cancelled. Try again.`,
  unknown: msg`The import may have been cancelled.`,
};

const followed = following({
  read: "pollImport",
  stop: "stopImport",
  store: "storeJob",
  forget: "forgetProblem",
  ended: [{ target: "#archive.resting", actions: withOutput("storeJob") }],
  loadFailed: {
    target: "waiting",
    actions: ["markBehind", reportFailure("the progress of an import could not be read")],
  },
  // The server then removes what was imported; the chart follows that as well.
  stopped: { target: "resting", actions: withOutput("storeJob") },
  notStopped: { target: "running.reading", actions: failed(STOP_FAILED, "an import was not cancelled") },
});

type ArchiveContext = {
  file: File | null;
  /** The latest import: running or ended. */
  job: AccountImport | null;
  problem: UiTextOrString | null;
  /** The last progress request got no response. */
  isBehind: boolean;
};

/**
 * Exports the whole account as a zip, and imports such a zip into an empty account. The server checks and imports it; the page follows
 * the progress and can stop it, which removes everything imported. The import continues when the page is closed.
 */
export const createArchive = (
  page: Page,
  { archive = createArchiveGateway(page.http), save = saveFile }: ArchiveParts = {},
) =>
  setup({
    types: {
      context: {} as ArchiveContext,
      events: {} as
        | Extract<ReadingEvent, { type: "reading.retry" }>
        | { type: "download.request" }
        | { type: "file.choose"; file: File | null }
        | { type: "import.start" }
        | { type: "job.cancel" },
    },
    actors: {
      readImport: fetching(archive.readImport),
      pollImport: fetching(archive.readImport),
      downloadArchive: fetching(archive.downloadArchive),
      sendArchive: writing(page, ({ file }: { file: File }) => archive.sendArchive(file), {
        done: msg`Your export is being imported.`,
        failed: UPLOAD_FAILED,
      }),
      stopImport: writing<AccountImport, void>(page, archive.stopImport, {
        // It may have completed before.
        done: ({ status }) =>
          status === "completed" ? null : msg`The import was cancelled. What it has imported is being removed.`,
        failed: STOP_FAILED,
      }),
    },
    actions: {
      storeFile: assign((_, params: { file: File | null }) => ({ file: params.file, problem: null })),
      forgetFile: assign({ file: null }),
      storeJob: assign((_, job: AccountImport | null) => ({ job, isBehind: false })),
      storeProblem: assign(problemOf),
      askForFile: assign({ problem: msg`Choose the zip file first.` }),
      forgetProblem: assign({ problem: null }),
      markBehind: assign({ isBehind: true }),
      saveArchive: (_args, file: Blob) => save(file, "leadloom-export.zip"),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      hasFile: ({ context }) => context.file !== null,
      isUnderWay: ({ context }) => context.job?.status === "in_progress",
      isComingIn: ({ context }) => context.job?.is_removing === false,
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
      ...initialLoad({ src: "readImport", store: "storeJob", what: msg`the last import`, shown: "resting" }),
      resting: {
        always: { guard: "isUnderWay", target: "running" },
        on: {
          "download.request": { target: "downloading", actions: "forgetProblem" },
          "file.choose": { actions: withEvent("storeFile") },
          "import.start": [
            { guard: "hasFile", target: "sending", actions: "forgetProblem" },
            { actions: "askForFile" },
          ],
        },
      },
      downloading: {
        invoke: {
          id: "downloadArchive",
          src: "downloadArchive",
          onDone: {
            target: "resting",
            actions: withOutput("saveArchive"),
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
            // Another tab already started an import; follow that one.
            { guard: withEvent("isAlreadyRunning"), target: "loading", actions: "forgetFile" },
            {
              guard: withEvent("isUnanswered"),
              target: "loading",
              actions: failed(UPLOAD_FAILED, "an archive was not imported"),
            },
            { target: "resting", actions: failed(UPLOAD_FAILED, "an archive was not imported") },
          ],
        },
      },
      ...followed,
      running: {
        ...followed.running,
        on: { "job.cancel": { ...followed.running.on["job.cancel"], guard: "isComingIn" } },
      },
    },
  });

export const Archive = createChart<typeof createArchive>("archive");

export const progressText = ({ done, total }: AccountImport): UiText =>
  msg`${plural({ done }, { one: "#", other: "#" })} of ${plural({ total }, { one: "# row", other: "# rows" })} so far.`;

/** How the last import ended; null if there was none. */
export function endText(job: AccountImport | null): UiTextOrString | null {
  if (job === null || job.status === "in_progress") return null;
  const day = dateText(job.finished_at);
  if (job.status === "failed") {
    const failure =
      day === null ? msg`An export could not be imported.` : msg`An export could not be imported on ${{ day }}.`;
    const reason = reasonOf(job, "reason");
    return reason === null ? failure : sentences([failure, reason]);
  }
  const { leads = 0, messages = 0 } = job.brought ?? {};
  return day === null
    ? msg`Your export was imported: ${plural({ leads }, { one: "# lead", other: "# leads" })}, ${plural({ messages }, { one: "# message", other: "# messages" })}. Automatic follow-ups and reminders are off until you switch them on.`
    : msg`Your export was imported on ${{ day }}: ${plural({ leads }, { one: "# lead", other: "# leads" })}, ${plural({ messages }, { one: "# message", other: "# messages" })}. Automatic follow-ups and reminders are off until you switch them on.`;
}
