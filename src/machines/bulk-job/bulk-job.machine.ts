import { reasonOf } from "../../../domain/stored-reasons.ts";
import { msg } from "@lingui/core/runtime-macro";
import { type SnapshotFrom, and, assign, fromCallback, raise, setup } from "xstate";
import type { UiTextOrString } from "../../../domain/ui-text.ts";
import { type BulkJob as Job, isThrottle } from "../../../domain/bulk.ts";
import { BULK_POLL_MS, BULK_RESULT_MS, MEDIA_MAX_BYTES, textLimit } from "../../../domain/limits.ts";
import { type BulkTarget, EVERY_STAGE } from "../../../domain/bulk-target.ts";
import type { Preflight } from "../../../domain/preflight.ts";
import { failureOf, nullOn } from "../../../domain/problem.ts";
import type { Stage } from "../../../domain/stage.ts";
import { createBulkGateway } from "../../services/bulk.ts";
import { warnBeforeUnload } from "../../services/browser.ts";
import { fileProblem } from "../composer/composer.attaching.ts";
import { createChart, withEvent, withOutput } from "../kit/chart.ts";
import { alerting, confirmState, confirming, isConfirmed, alertState } from "../kit/confirming.ts";
import { following } from "./bulk-job.following.ts";
import { type ReadingEvent, type ReadingTag, fetching, initialLoad } from "../kit/loading.ts";
import { type Page, createReporter, reportFailure } from "../kit/page.ts";
import { throttled } from "../kit/refreshing.ts";
import { type FailureText, failed, failureMessage, problemOf, writing } from "../kit/writing.ts";
import type { BulkResult, Progress, RememberedJob } from "./bulk-job.memory.ts";
import { CHOSEN, type PreflightResult, confirmationText } from "./bulk-job.question.ts";
import {
  BULK_TEXTS,
  CANCEL_FAILED,
  CONTINUE_FAILED,
  COUNT_FAILED,
  NONE_CHOSEN,
  QUEUE_FAILED,
  noLeadsText,
  tooLongText,
  UNKNOWN_STAGE,
} from "./bulk-job.texts.ts";

export type BulkService = ReturnType<typeof createBulkGateway>;
/** How many leads received the message, and out of how many. */
export type Reached = NonNullable<Awaited<ReturnType<BulkService["cancelJob"]>>>;
type BulkMessage = Parameters<BulkService["queueMessages"]>[0];

export type BulkJobParts = {
  /** Stores this user's job across reloads. */
  jobMemory: { write(text: string): void; clear(): void };
  /** Removes the draft once it has become a job. */
  forgetDraft: () => void;
  bulk?: BulkService;
  /** Asks for confirmation before the page is closed while the work is running. */
  hold?: (work: Promise<unknown>) => void;
};

/** A fast job sends an event per message, and each causes a request: at most one a second passes. */
const NEWS_PAUSE_MS = 1_000;

type BulkJobContext = {
  stages: Stage[];
  target: BulkTarget;
  media: File | null;
  message: string;
  throttle: string;
  /** leads of the target as counted for the last send; null before */
  leadCount: number | null;
  /** the preflight result for the message being confirmed */
  preflightResult: PreflightResult;
  /** the message of the open dialog */
  alert: UiTextOrString;
  /** the problems of single fields */
  marks: FormMarks;
  /** why nothing was queued, or that the outcome is unknown */
  problem: UiTextOrString | null;
  /** why the running job was not cancelled or continued */
  jobProblem: UiTextOrString | null;
  jobId: string | null;
  progress: Progress | null;
  result: BulkResult | null;
  /** the progress of the job cancelled last */
  cancelled: Reached | null;
};

type FormMarks = Partial<Record<"message" | "media", string>>;

/** How long the confirmation waits for the preflight result. */
const PREFLIGHT_PATIENCE_MS = 2_500;

const alertWith = (text: keyof typeof BULK_TEXTS) => ({
  type: "storeAlert" as const,
  params: { message: BULK_TEXTS[text] },
});
/** Shows a problem in a dialog and at the field. */
const alertAt = (field: keyof FormMarks, text: keyof typeof BULK_TEXTS) =>
  [alertWith(text), { type: "storeMarks", params: { marks: { [field]: BULK_TEXTS[text] } as FormMarks } }] as const;
const limitOf = ({ media }: BulkJobContext) => textLimit(media !== null);
const queued = { target: "#bulkJob.job.running", actions: withEvent("storeJobId") } as const;
const jobIdOf = ({ context }: { context: BulkJobContext }) => ({ jobId: context.jobId ?? "" });
const remember = {
  type: "rememberJob" as const,
  params: ({ context }: { context: BulkJobContext }) => ({
    jobId: context.jobId ?? "",
    progress: context.progress,
    result: context.result,
  }),
};
/** Whether the target was chosen in the list, by filters or by selection. */
const areChosen = ({ target }: Pick<BulkJobContext, "target">): boolean => target.kind !== "stage";
/** The chosen stage; null for other targets, and until its name is known. */
const stageOf = ({ stages, target }: Pick<BulkJobContext, "stages" | "target">): Stage | null =>
  stages.find(({ id }) => target.kind === "stage" && id === target.stageId) ?? null;
const stageNameOf = (context: BulkJobContext): UiTextOrString | null =>
  context.target.kind !== "stage" || context.target.stageId === "" ? null : (stageOf(context)?.name ?? UNKNOWN_STAGE);

/** Why a file cannot be sent; null if it can. */
export function mediaProblem(file: File | null): "fileTooLarge" | "notMedia" | null {
  if ((file?.size ?? 0) > MEDIA_MAX_BYTES) return "fileTooLarge";
  return fileProblem(file) === undefined ? null : "notMedia";
}

const progressOf = (job: Job | null): Progress => ({
  sent: job?.sent_count ?? 0,
  failed: job?.failed_count ?? 0,
  total: job?.total_targets ?? 0,
  pausedUntil: job?.paused_until ?? null,
  pausedReason: job?.paused_reason ?? null,
  pausedCode: job?.paused_code ?? null,
  isHeld: job?.is_held ?? false,
});

const jobIdIn = (data: unknown): string | null =>
  typeof data === "object" && data !== null && "job_id" in data && typeof data.job_id === "string" ? data.job_id : null;

const jobProblem = (text: FailureText) => ({
  type: "storeJobProblem" as const,
  params: ({ event }: { event: { error: unknown } }) => ({ error: event.error, text }),
});

/** The running job. Its progress survives a reload; after a failed read it is not retried automatically. */
const followed = following({
  read: "fetchJob",
  stop: "cancelJob",
  store: "storeProgress",
  forget: "forgetJobProblem",
  input: jobIdOf,
  waiting: { entry: remember, on: { "job.changed": "reading" } },
  ended: [{ target: "#bulkJob.job.finished", actions: [withOutput("storeProgress"), withOutput("storeResult")] }],
  loadFailed: [
    { guard: withEvent("isGone"), target: "#bulkJob.job.absent" },
    { target: "stalled", actions: reportFailure("the job's progress was not read") },
  ],
  stopped: {
    target: "announcingCancel",
    actions: withOutput("storeCancelled"),
  },
  notStopped: {
    target: "announcingFailure",
    actions: [jobProblem(CANCEL_FAILED), reportFailure("the job was not cancelled")],
  },
});

type Now = { context: BulkJobContext };
const alertOf = ({ context }: Now) => ({ message: context.alert });
const questionOf = ({ context }: Now) => ({
  message: confirmationText(
    areChosen(context) ? CHOSEN : stageNameOf(context),
    context.leadCount ?? 0,
    context.preflightResult,
  ),
});

/**
 * Sends one message to many leads. The form is checked in the order of its fields, confirmed and queued. The job is then polled, one
 * request at a time, until it ends; after a reload the page follows it again.
 */
export const createBulkJob = (
  page: Page,
  { jobMemory, forgetDraft, bulk = createBulkGateway(page), hold = warnBeforeUnload }: BulkJobParts,
) => {
  /** The job stopped last: ignores the outcome of an earlier resume. */
  let stopped: string | null = null;
  return setup({
    types: {
      input: {} as { remembered: RememberedJob | null; target?: BulkTarget; media?: File | null },
      context: {} as BulkJobContext,
      events: {} as
        | ReadingEvent
        | { type: "stage.choose"; stageId: string }
        | { type: "media.choose"; file: File | null }
        | { type: "message.send"; message: string; throttle: string }
        | { type: "job.queued"; jobId: string }
        | { type: "job.changed"; jobId: string | null }
        | { type: "job.recheck" }
        | { type: "job.continue" }
        | { type: "job.cancel" },
      tags: {} as "busy" | ReadingTag,
    },
    actors: {
      listStages: fetching(bulk.listStages),
      countLeads: fetching(bulk.countLeads),
      preflight: fetching(bulk.preflight),
      queueMessages: writing(
        page,
        async (input: BulkMessage) => {
          const work = bulk.queueMessages(input);
          hold(work);
          const { jobId } = await work;
          // The job exists now, even if the user has left the screen.
          jobMemory.write(JSON.stringify({ jobId, progress: null, result: null } satisfies RememberedJob));
          forgetDraft();
          return { jobId };
        },
        { done: BULK_TEXTS.queuedUnseen, failed: { ...QUEUE_FAILED, label: BULK_TEXTS.notQueued } },
      ),
      fetchJob: fetching(bulk.fetchJob),
      findJob: fetching(async ({ jobId }: { jobId: string | null }, signal: AbortSignal): Promise<Job | null> => {
        const running =
          (await bulk.fetchRunningJob(signal).catch(nullOn(404))) ??
          // A server that does not know that call may still have returned the job's id.
          (jobId === null ? null : await bulk.fetchJob({ jobId }, signal).catch(nullOn(404)));
        if (running?.status !== "in_progress") return null;
        const id = running.job_id ?? jobId;
        return id === null ? null : { ...running, job_id: id };
      }),
      cancelJob: writing(
        page,
        async (input: { jobId: string }) => {
          stopped = input.jobId;
          const reached = await bulk.cancelJob(input).catch((error: unknown) => {
            stopped = null;
            throw error;
          });
          jobMemory.clear();
          return reached;
        },
        {
          done: BULK_TEXTS.cancelledUnseen,
          failed: { ...CANCEL_FAILED, label: msg`Failed to cancel the bulk message` },
        },
      ),
      continueJob: writing(
        page,
        (input: { jobId: string }): Promise<Job | null> =>
          bulk.continueJob(input).catch((error: unknown) => {
            if (stopped === input.jobId) return null;
            throw error;
          }),
        {
          done: (_, { jobId }) => (stopped === jobId ? null : BULK_TEXTS.queuedUnseen),
          failed: { ...CONTINUE_FAILED, label: msg`Failed to continue the bulk message` },
        },
      ),
      askConfirmation: confirming(page.notifier),
      showAlert: alerting(page.notifier),
      watchJob: fromCallback(({ sendBack }) => {
        const { call, end } = throttled(
          (jobId: string | null) => sendBack({ type: "job.changed", jobId }),
          NEWS_PAUSE_MS,
        );
        const unsubscribe = page.events.subscribe("bulk.changed", (data) => call(jobIdIn(data)));
        return () => {
          unsubscribe();
          end();
        };
      }),
    },
    actions: {
      storeStages: assign((_, stages: Stage[]) => ({ stages })),
      storeStageId: assign((_, { stageId }: { stageId: string }) => ({
        target: { kind: "stage" as const, stageId },
        leadCount: null,
      })),
      storeMedia: assign((_, params: { file: File | null }) => ({ media: params.file, marks: {} })),
      forgetMedia: assign({ media: null }),
      storeMarks: assign((_, params: { marks: FormMarks }) => params),
      storeMessage: assign((_, params: { message: string; throttle: string }) => ({
        message: params.message,
        throttle: params.throttle,
        leadCount: null,
        marks: {},
        problem: null,
      })),
      storeLeadCount: assign((_, leadCount: number) => ({ leadCount })),
      storePreflight: assign((_, preflight: Preflight | null) => ({
        preflightResult: preflight === null ? { kind: "unknown" as const } : { kind: "known" as const, preflight },
      })),
      storePreflightResult: assign((_, preflightResult: PreflightResult) => ({ preflightResult })),
      storeAlert: assign((_, params: { message: UiTextOrString }) => ({ alert: params.message })),
      storeTooLongAlert: assign(({ context }) => ({ alert: tooLongText(limitOf(context)) })),
      storeNoLeadsAlert: assign(({ context }) => ({
        alert: areChosen(context) ? NONE_CHOSEN : noLeadsText(stageNameOf(context)),
      })),
      storeProblem: assign(problemOf),
      storeJobProblem: assign((_, { error, text }: { error: unknown; text: FailureText }) => ({
        jobProblem: failureMessage(error, text),
      })),
      /** Without a response, the job may have started. */
      lookForJob: raise({ type: "job.changed", jobId: null }),
      forgetJobProblem: assign({ jobProblem: null }),
      announceJob: raise((_, params: { jobId: string }) => ({ type: "job.queued" as const, jobId: params.jobId })),
      storeJobId: assign(({ context }, params: { jobId: string }) => ({
        jobId: params.jobId,
        progress: { ...progressOf(null), total: context.leadCount ?? 0 },
        result: null,
        cancelled: null,
      })),
      storeFoundJob: assign((_, job: Job | null) => ({
        cancelled: null,
        jobId: String(job?.job_id ?? ""),
        result: null,
      })),
      storeProgress: assign((_, job: Job | null) => ({ progress: progressOf(job) })),
      storeResult: assign((_, job: Job) => ({
        result:
          job.status === "failed"
            ? { kind: "failed" as const, error: reasonOf(job, "error") }
            : { kind: "completed" as const, sent: job.sent_count ?? 0, failed: job.failed_count ?? 0 },
      })),
      storeCancelled: assign(({ context: { progress } }, reached: Reached | null) => ({
        cancelled: reached ?? (progress && { sent: progress.sent, total: progress.total }),
      })),
      forgetJob: assign({ jobId: null, progress: null, result: null, jobProblem: null }),
      rememberJob: (_, job: RememberedJob) => jobMemory.write(JSON.stringify(job)),
      forgetRememberedJob: () => jobMemory.clear(),
      reportFailure: createReporter(page.logger),
    },
    guards: {
      isTooLarge: (_, { file }: { file: File | null }) => mediaProblem(file) === "fileTooLarge",
      isNotMedia: (_, { file }: { file: File | null }) => mediaProblem(file) === "notMedia",
      hasNothingToSend: ({ context }) => context.message.trim() === "" && context.media === null,
      isTooLong: ({ context }) => context.message.length > limitOf(context),
      hasNoLeads: ({ context }) => context.leadCount === 0,
      hasNoLeadsNorMessage: and(["hasNoLeads", "hasNothingToSend"]),
      hasRunningJob: ({ context }) => context.jobId !== null && context.result === null,
      isConfirmed,
      isThrottleOutOfRange: ({ context }) => context.throttle.trim() === "" || !isThrottle(Number(context.throttle)),
      isFound: (_, job: Job | null) => job !== null,
      hasRememberedJob: ({ context }) => context.jobId !== null,
      isHeld: ({ context }) => context.progress?.isHeld === true,
      isGoingOn: (_, job: Job) => job.status === "in_progress",
      isGone: (_, { error }: { error: unknown }) => [401, 404].includes(failureOf(error).status ?? 0),
    },
    delays: { pollPause: BULK_POLL_MS, resultDuration: BULK_RESULT_MS, preflightPatience: PREFLIGHT_PATIENCE_MS },
  }).createMachine({
    id: "bulkJob",
    context: ({ input }) => ({
      stages: [],
      target: input.target ?? EVERY_STAGE,
      media: input.media ?? null,
      message: "",
      throttle: "",
      leadCount: null,
      preflightResult: { kind: "unknown" },
      alert: "",
      marks: {},
      problem: null,
      jobProblem: null,
      jobId: input.remembered?.jobId ?? null,
      progress: input.remembered?.progress ?? null,
      result: null,
      cancelled: null,
    }),
    type: "parallel",
    states: {
      stages: {
        initial: "loading",
        states: {
          ...initialLoad({ src: "listStages", store: "storeStages", what: msg`the stages`, shown: "loaded" }),
          loaded: {},
        },
      },
      composer: {
        initial: "composing",
        states: {
          composing: {
            on: {
              "stage.choose": { actions: withEvent("storeStageId") },
              "media.choose": [
                {
                  guard: withEvent("isTooLarge"),
                  target: "alerting",
                  actions: ["forgetMedia", ...alertAt("media", "fileTooLarge")],
                },
                {
                  guard: withEvent("isNotMedia"),
                  target: "alerting",
                  actions: ["forgetMedia", ...alertAt("media", "notMedia")],
                },
                { actions: withEvent("storeMedia") },
              ],
              "message.send": { target: "countingLeads", actions: withEvent("storeMessage") },
            },
          },
          countingLeads: {
            tags: "busy",
            // Choosing another target cancels the count, so that a hanging request does not lock the form.
            on: {
              "stage.choose": { target: "composing", actions: withEvent("storeStageId") },
            },
            invoke: {
              id: "countLeads",
              src: "countLeads",
              input: ({ context: { target } }) => ({ target }),
              onDone: {
                target: "checking",
                actions: withOutput("storeLeadCount"),
              },
              onError: {
                target: "alerting",
                actions: [alertWith("notQueued"), ...failed(COUNT_FAILED, "the leads were not counted")],
              },
            },
          },
          checking: {
            always: [
              // The screen already says 'No Leads In Stage.'; only a message that was ready to send needs an alert.
              { guard: "hasNoLeadsNorMessage", target: "composing" },
              { guard: "hasNothingToSend", target: "alerting", actions: alertAt("message", "nothingToSend") },
              { guard: "isTooLong", target: "alerting", actions: "storeTooLongAlert" },
              { guard: "isThrottleOutOfRange", target: "alerting", actions: alertWith("throttleOutOfRange") },
              { guard: "hasNoLeads", target: "alerting", actions: "storeNoLeadsAlert" },
              { guard: "hasRunningJob", target: "alerting", actions: alertWith("alreadySending") },
              { target: "asking" },
            ],
          },
          // After all validation. The confirmation shows the preflight result, or adds it when it arrives late.
          asking: {
            tags: "busy",
            initial: "preflighting",
            invoke: {
              id: "preflight",
              src: "preflight",
              input: ({ context: { target, throttle, message } }) => ({
                target,
                throttle: String(Number(throttle)),
                messageLength: message.length,
              }),
              onDone: {
                target: ".confirming",
                actions: withOutput("storePreflight"),
              },
              onError: {
                target: ".confirming",
                actions: [
                  { type: "storePreflightResult", params: { kind: "loadFailed" } },
                  reportFailure("what the bulk message would do could not be read"),
                ],
              },
            },
            states: {
              preflighting: {
                on: {
                  "stage.choose": { target: "#bulkJob.composer.composing", actions: withEvent("storeStageId") },
                },
                after: {
                  preflightPatience: {
                    target: "confirming",
                    actions: { type: "storePreflightResult", params: { kind: "late" } },
                  },
                },
              },
              // Re-entered when the figures arrive, to ask the question with them.
              confirming: confirmState(questionOf, {
                yes: "#bulkJob.composer.queueing",
                no: "#bulkJob.composer.composing",
              }),
            },
          },
          queueing: {
            tags: "busy",
            invoke: {
              id: "queueMessages",
              src: "queueMessages",
              input: ({ context: { message, target, throttle, media } }) => ({
                message,
                target,
                throttle: String(Number(throttle)),
                media,
              }),
              onDone: { target: "composing", actions: withOutput("announceJob") },
              onError: {
                target: "alerting",
                actions: [
                  alertWith("notQueued"),
                  ...failed(QUEUE_FAILED, "the messages were not queued"),
                  "lookForJob",
                ],
              },
            },
          },
          alerting: alertState(alertOf, "composing"),
        },
      },
      job: {
        initial: "remembering",
        invoke: { id: "watchJob", src: "watchJob" },
        states: {
          remembering: { always: [{ guard: "hasRememberedJob", target: "resuming" }, { target: "looking" }] },
          resuming: {
            on: followed.running.on,
            invoke: {
              id: "fetchRememberedJob",
              src: "fetchJob",
              input: jobIdOf,
              onDone: [
                {
                  guard: withOutput("isGoingOn"),
                  target: "running",
                  actions: withOutput("storeProgress"),
                },
                { target: "looking" },
              ],
              onError: [
                { guard: withEvent("isGone"), target: "looking" },
                { target: "running.stalled", actions: reportFailure("the job left behind was not found again") },
              ],
            },
          },
          // Also shows a job started by another tab or program.
          looking: {
            entry: ["forgetJob", "forgetRememberedJob"],
            on: { "job.queued": queued },
            invoke: {
              id: "findJob",
              src: "findJob",
              input: ({ event }) => ({ jobId: event.type === "job.changed" ? event.jobId : null }),
              onDone: [
                {
                  guard: withOutput("isFound"),
                  target: "running",
                  actions: [withOutput("storeFoundJob"), withOutput("storeProgress")],
                },
                { target: "absent" },
              ],
              onError: { target: "loadFailed", actions: reportFailure("the running bulk message could not be read") },
            },
          },
          loadFailed: {
            tags: "loadFailed",
            meta: { loadFailed: msg`whether a bulk message is being sent` },
            on: { "reading.retry": "looking", "job.queued": queued, "job.changed": "looking" },
          },
          absent: {
            entry: ["forgetJob", "forgetRememberedJob"],
            on: { "job.queued": queued, "job.changed": "looking" },
          },
          cancelling: followed.cancelling,
          running: {
            ...followed.running,
            on: {
              ...followed.running.on,
              "job.continue": { guard: "isHeld", target: "continuing" },
              "job.queued": queued,
            },
            states: {
              ...followed.running.states,
              stalled: { on: { "job.recheck": "reading", "job.changed": "reading" } },
            },
          },
          continuing: {
            entry: "forgetJobProblem",
            on: followed.running.on,
            invoke: {
              id: "continueJob",
              src: "continueJob",
              input: jobIdOf,
              onDone: { target: "running", actions: withOutput("storeProgress") },
              // The job may still be running, so its state is read again.
              onError: {
                target: "running.reading",
                actions: [jobProblem(CONTINUE_FAILED), reportFailure("the job was not continued")],
              },
            },
          },
          announcingCancel: {
            ...alertState({ message: BULK_TEXTS.cancelled }, "absent", "announceCancel"),
            entry: ["forgetJob", "forgetRememberedJob"],
          },
          announcingFailure: alertState({ message: BULK_TEXTS.notCancelled }, "running", "announceFailure"),
          finished: {
            entry: remember,
            on: { "job.queued": queued },
            after: { resultDuration: "looking" },
          },
        },
      },
    },
  });
};

export const BulkJob = createChart<typeof createBulkJob>("bulkJob");
type BulkJobSnapshot = SnapshotFrom<typeof createBulkJob>;

export const selectStageName = ({ context }: BulkJobSnapshot) => stageOf(context)?.name ?? null;

export const selectAreChosen = ({ context }: BulkJobSnapshot) => areChosen(context);

/** Whether a job is running as far as this screen knows, also while it is being cancelled. */
export const selectIsSending = (bulk: BulkJobSnapshot) =>
  bulk.context.jobId !== null &&
  bulk.context.result === null &&
  !bulk.matches({ job: "absent" }) &&
  !bulk.matches({ job: "looking" });

export const selectResult = (bulk: BulkJobSnapshot) => (bulk.matches({ job: "finished" }) ? bulk.context.result : null);
