import { reasonOf } from "../../../domain/stored-reasons.ts";
import { msg, plural } from "@lingui/core/runtime-macro";
import { assign, setup } from "xstate";
import type { UiText, UiTextOrString } from "../../../domain/ui-text.ts";
import { type ChatImport, IMPORT_MAX_DAYS } from "../../../domain/chat-import.ts";
import { failureOf } from "../../../domain/problem.ts";
import { createChatImportGateway } from "../../services/chat-import.ts";
import { sentences } from "../../language/joining.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { following } from "../bulk-job/bulk-job.following.ts";
import { type ReadingEvent, fetching, initialLoad } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { type FailureText, failed, isUnanswered, problemOf, writing } from "../kit/writing.ts";
import { dateText, hourText, isWholeNumber } from "../../language/format.ts";

type ChatImportParts = { imports?: ReturnType<typeof createChatImportGateway> };

const START_FAILED: FailureText = {
  refused: msg`The import was not started. Try again.`,
  unknown: msg`The import may have started.`,
};
const CANCEL_FAILED: FailureText = {
  refused: msg`The import was not cancelled. Try again.`,
  unknown: msg`The import may have been cancelled.`,
};

type ChatImportContext = {
  /** As typed by the user. */
  days: string;
  includesContacts: boolean;
  /** The latest import: running or ended. */
  job: ChatImport | null;
  problem: UiTextOrString | null;
  /** The last progress request got no response. */
  isBehind: boolean;
};

/**
 * Imports existing chats as leads when the user asks for it. One import runs at a time, on the server: it continues when the page is
 * closed, pauses when Telegram asks for it, and can be cancelled.
 */
export const createChatImport = (page: Page, { imports = createChatImportGateway(page.http) }: ChatImportParts = {}) =>
  setup({
    types: {
      context: {} as ChatImportContext,
      events: {} as
        | Extract<ReadingEvent, { type: "reading.retry" }>
        | { type: "days.change"; days: string }
        | { type: "contacts.change"; isIncluded: boolean }
        | { type: "import.start" }
        | { type: "job.cancel" },
    },
    actors: {
      readImport: fetching(imports.readImport),
      pollImport: fetching(imports.readImport),
      startImport: writing(page, imports.startImport, {
        done: msg`The import of your chats has begun.`,
        failed: START_FAILED,
      }),
      cancelImport: writing<ChatImport, void>(page, imports.cancelImport, {
        done: msg`The import was cancelled. The leads it has found stay.`,
        failed: CANCEL_FAILED,
      }),
    },
    actions: {
      storeDays: assign((_, params: { days: string }) => ({ days: params.days, problem: null })),
      storeContacts: assign((_, params: { isIncluded: boolean }) => ({ includesContacts: params.isIncluded })),
      storeJob: assign((_, job: ChatImport | null) => ({ job, isBehind: false })),
      refuseDays: assign({
        problem: msg`Write a whole number of days from 1 to ${{ importMaxDays: IMPORT_MAX_DAYS }}.`,
      }),
      storeProblem: assign(problemOf),
      forgetProblem: assign({ problem: null }),
      markBehind: assign({ isBehind: true }),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isUnderWay: ({ context }) => context.job?.status === "in_progress",
      isGoingOn: (_, job: ChatImport | null) => job?.status === "in_progress",
      isPossible: ({ context }) => isWholeNumber(context.days, 1, IMPORT_MAX_DAYS),
      isUnanswered,
      isAlreadyRunning: (_, params: { error: unknown }) => failureOf(params.error).code === "import_running",
    },
    delays: { pollPause: 2_000 },
  }).createMachine({
    id: "chatImport",
    context: { days: "30", includesContacts: true, job: null, problem: null, isBehind: false },
    initial: "loading",
    states: {
      ...initialLoad({ src: "readImport", store: "storeJob", what: msg`the import of chats`, shown: "resting" }),
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
          id: "startImport",
          src: "startImport",
          input: ({ context }) => ({ days: Number(context.days), include_contacts: context.includesContacts }),
          onDone: { target: "resting", actions: withOutput("storeJob") },
          onError: [
            // Another tab already started an import; follow that one.
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
      ...following({
        read: "pollImport",
        stop: "cancelImport",
        store: "storeJob",
        forget: "forgetProblem",
        ended: [{ target: "#chatImport.resting", actions: withOutput("storeJob") }],
        loadFailed: {
          target: "waiting",
          actions: ["markBehind", reportFailure("the progress of an import could not be read")],
        },
        stopped: { target: "resting", actions: withOutput("storeJob") },
        notStopped: {
          target: "running.reading",
          actions: failed(CANCEL_FAILED, "an import of chats was not cancelled"),
        },
      }),
    },
  });

export const ChatImportChart = createChart<typeof createChatImport>("chatImport");

export const progressText = ({ scanned, found }: ChatImport): UiText =>
  msg`Looked at ${plural({ scanned }, { one: "# chat", other: "# chats" })} so far; ${plural({ found }, { one: "# is a lead", other: "# are leads" })} now.`;

/** What an import is waiting for; null while it runs. */
export function pauseText({ paused_until }: ChatImport): UiText | null {
  if (paused_until === null) return null;
  const hour = hourText(paused_until);
  return hour === null
    ? msg`Telegram asks to wait. The import then resumes automatically.`
    : msg`Telegram asks to wait until ${{ hour }}. The import then resumes automatically.`;
}

const ENDS = {
  completed: {
    undated: msg`The last import ended:`,
    dated: (day: string) => msg`The last import ended on ${{ day }}:`,
  },
  cancelled: {
    undated: msg`The last import was cancelled:`,
    dated: (day: string) => msg`The last import was cancelled on ${{ day }}:`,
  },
  failed: { undated: msg`The last import failed:`, dated: (day: string) => msg`The last import failed on ${{ day }}:` },
};

/** How the last import ended; null if there was none. */
export function endText(job: ChatImport | null): UiTextOrString | null {
  if (job === null || job.status === "in_progress") return null;
  const { scanned, found, status } = job;
  const reason = reasonOf(job, "reason");
  const day = dateText(job.finished_at);
  const { undated, dated } = ENDS[status];
  const figures = msg`${plural({ scanned }, { one: "# chat", other: "# chats" })} looked at, ${plural({ found }, { one: "# is a lead", other: "# are leads" })} now.`;
  return sentences([
    day === null ? undated : dated(day),
    figures,
    ...(status === "failed" && reason !== null ? [reason] : []),
  ]);
}
