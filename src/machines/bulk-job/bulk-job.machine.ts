import { type ActorRefFrom, type SnapshotFrom, and, assign, raise, setup } from "xstate";
import { type BulkJob, isThrottle } from "../../../domain/bulk.ts";
import {
  BULK_POLL_MS,
  BULK_RESULT_MS,
  CAPTION_MAX_CHARS,
  MEDIA_MAX_BYTES,
  MESSAGE_MAX_CHARS,
} from "../../../domain/limits.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { Stage } from "../../../domain/stage.ts";
import { reportFailure, unreported } from "../kit/reporting.ts";
import { placeholderActors } from "./bulk-job.actors.ts";
import type { BulkResult, Progress, RememberedJob } from "./bulk-job.memory.ts";
import { BULK_TEXTS, confirmationText, noLeadsText, tooLongText } from "./bulk-job.texts.ts";

type Context = {
  stages: Stage[];
  stageId: string;
  media: File | null;
  message: string;
  throttle: string;
  /** leads of the target as counted for the last send; null before */
  leadCount: number | null;
  /** what is being said in a dialog */
  alert: string;
  /** the server's own words about a refused send */
  problem: string | null;
  jobId: string | null;
  progress: Progress | null;
  result: BulkResult | null;
};

// What the app fills in by provide().
const rememberJob: (_: unknown, params: RememberedJob) => void = () => {};

const alertWith = (text: keyof typeof BULK_TEXTS) => ({
  type: "storeAlert" as const,
  params: { message: BULK_TEXTS[text] },
});
const limitOf = ({ media }: Context) => (media === null ? MESSAGE_MAX_CHARS : CAPTION_MAX_CHARS);
const foundJobOf = ({ event }: { event: { output: BulkJob | null } }) => ({ job: event.output });
const jobOf = ({ event }: { event: { output: BulkJob } }) => ({ job: event.output });
const errorOf = ({ event }: { event: { error: unknown } }) => ({ error: event.error });
const fileOf = ({ event }: { event: { file: File | null } }) => ({ file: event.file });
const queued = {
  target: "#bulkJob.job.running",
  actions: { type: "storeJobId" as const, params: ({ event }: { event: { jobId: string } }) => event },
} as const;
const remember = {
  type: "rememberJob" as const,
  params: ({ context }: { context: Context }) => ({
    jobId: context.jobId ?? "",
    progress: context.progress,
    result: context.result,
  }),
};
const stageNameOf = (context: Context): string | null =>
  context.stageId === "" ? null : (context.stages.find(({ id }) => id === context.stageId)?.name ?? "Unknown");

/**
 * Sends one message to many leads. The composer checks a message in the screen's order, asks, and queues it; the job
 * beside it is polled, one call in flight, until it ends, and is picked up again after a reload.
 */
export const bulkJobMachine = setup({
  types: {
    input: {} as { remembered: RememberedJob | null; stageId?: string; media?: File | null },
    context: {} as Context,
    events: {} as
      | { type: "stage.choose"; stageId: string }
      | { type: "media.choose"; file: File | null }
      | { type: "message.send"; message: string; throttle: string }
      | { type: "job.queued"; jobId: string }
      | { type: "job.changed"; jobId: string | null }
      | { type: "job.recheck" }
      | { type: "job.cancel" },
    tags: {} as "busy",
  },
  actors: placeholderActors,
  actions: {
    storeStages: assign((_, params: { stages: Stage[] }) => ({ stages: params.stages })),
    storeStageId: assign((_, params: { stageId: string }) => ({ stageId: params.stageId, leadCount: null })),
    storeMedia: assign((_, params: { file: File | null }) => ({ media: params.file })),
    forgetMedia: assign({ media: null }),
    storeMessage: assign((_, params: { message: string; throttle: string }) => ({
      message: params.message,
      throttle: params.throttle,
      leadCount: null,
      problem: null,
    })),
    storeLeadCount: assign((_, params: { count: number }) => ({ leadCount: params.count })),
    storeAlert: assign((_, params: { message: string }) => ({ alert: params.message })),
    storeTooLongAlert: assign(({ context }) => ({ alert: tooLongText(limitOf(context)) })),
    storeNoLeadsAlert: assign(({ context }) => ({ alert: noLeadsText(stageNameOf(context)) })),
    storeProblem: assign((_, params: { error: unknown }) => ({
      problem: failureOf(params.error).code === null ? null : failureOf(params.error).message,
    })),
    announceJob: raise((_, params: { jobId: string }) => ({ type: "job.queued" as const, jobId: params.jobId })),
    storeJobId: assign(({ context }, params: { jobId: string }) => ({
      jobId: params.jobId,
      progress: { sent: 0, failed: 0, total: context.leadCount ?? 0, pausedUntil: null, pausedReason: null },
      result: null,
    })),
    storeFoundJob: assign((_, { job }: { job: BulkJob | null }) => ({
      jobId: String(job?.job_id ?? ""),
      result: null,
    })),
    storeProgress: assign((_, { job }: { job: BulkJob | null }) => ({
      progress: {
        sent: job?.sent_count ?? 0,
        failed: job?.failed_count ?? 0,
        total: job?.total_targets ?? 0,
        pausedUntil: job?.paused_until ?? null,
        pausedReason: job?.paused_reason ?? null,
      },
    })),
    storeResult: assign((_, { job }: { job: BulkJob }) => ({
      result:
        job.status === "failed"
          ? { kind: "failed" as const, error: job.error }
          : { kind: "completed" as const, sent: job.sent_count ?? 0, failed: job.failed_count ?? 0 },
    })),
    forgetJob: assign({ jobId: null, progress: null, result: null }),
    rememberJob,
    forgetRememberedJob: () => {},
    reportFailure: unreported,
  },
  guards: {
    isTooLarge: (_, { file }: { file: File | null }) => (file?.size ?? 0) > MEDIA_MAX_BYTES,
    isNotMedia: (_, { file }: { file: File | null }) => file !== null && !/^(image|video)\//.test(file.type),
    hasNothingToSend: ({ context }) => context.message.trim() === "" && context.media === null,
    isTooLong: ({ context }) => context.message.length > limitOf(context),
    hasNoLeads: ({ context }) => context.leadCount === 0,
    hasNoLeadsNorMessage: and(["hasNoLeads", "hasNothingToSend"]),
    hasRunningJob: ({ context }) => context.jobId !== null && context.result === null,
    isDeclined: (_, params: { isConfirmed: boolean }) => !params.isConfirmed,
    isThrottleOutOfRange: ({ context }) => context.throttle.trim() === "" || !isThrottle(Number(context.throttle)),
    isFound: (_, { job }: { job: BulkJob | null }) => job !== null,
    hasRememberedJob: ({ context }) => context.jobId !== null,
    isRunning: (_, { job }: { job: BulkJob }) => job.status === "in_progress",
    isGone: (_, { error }: { error: unknown }) => [401, 404].includes(failureOf(error).status ?? 0),
  },
  delays: { pollInterval: BULK_POLL_MS, resultDuration: BULK_RESULT_MS },
}).createMachine({
  id: "bulkJob",
  context: ({ input }) => ({
    stages: [],
    stageId: input.stageId ?? "",
    media: input.media ?? null,
    message: "",
    throttle: "",
    leadCount: null,
    alert: "",
    problem: null,
    jobId: input.remembered?.jobId ?? null,
    progress: input.remembered?.progress ?? null,
    result: null,
  }),
  type: "parallel",
  states: {
    stages: {
      initial: "loading",
      states: {
        loading: {
          invoke: {
            id: "listStages",
            src: "listStages",
            onDone: {
              target: "loaded",
              actions: { type: "storeStages", params: ({ event }) => ({ stages: event.output }) },
            },
            onError: { target: "missing", actions: reportFailure("the stages to choose from were not loaded") },
          },
        },
        loaded: {},
        missing: {},
      },
    },
    composer: {
      initial: "composing",
      states: {
        composing: {
          on: {
            "stage.choose": { actions: { type: "storeStageId", params: ({ event }) => event } },
            "media.choose": [
              {
                guard: { type: "isTooLarge", params: fileOf },
                target: "alerting",
                actions: ["forgetMedia", alertWith("fileTooLarge")],
              },
              {
                guard: { type: "isNotMedia", params: fileOf },
                target: "alerting",
                actions: ["forgetMedia", alertWith("notMedia")],
              },
              { actions: { type: "storeMedia", params: fileOf } },
            ],
            "message.send": {
              target: "countingLeads",
              actions: { type: "storeMessage", params: ({ event }) => event },
            },
          },
        },
        countingLeads: {
          tags: "busy",
          // Choosing another target gives the count up: a call that hangs must not lock the person in.
          on: {
            "stage.choose": { target: "composing", actions: { type: "storeStageId", params: ({ event }) => event } },
          },
          invoke: {
            id: "countLeads",
            src: "countLeads",
            input: ({ context }) => ({ stageId: context.stageId }),
            onDone: {
              target: "checking",
              actions: { type: "storeLeadCount", params: ({ event }) => ({ count: event.output }) },
            },
            onError: {
              target: "alerting",
              actions: [alertWith("notQueued"), { type: "storeProblem", params: errorOf }],
            },
          },
        },
        checking: {
          always: [
            // The screen says 'No Leads In Stage.' by itself; a message that was ready to go is told why it does not.
            { guard: "hasNoLeadsNorMessage", target: "composing" },
            { guard: "hasNothingToSend", target: "alerting", actions: alertWith("nothingToSend") },
            { guard: "isTooLong", target: "alerting", actions: "storeTooLongAlert" },
            { guard: "isThrottleOutOfRange", target: "alerting", actions: alertWith("throttleOutOfRange") },
            { guard: "hasNoLeads", target: "alerting", actions: "storeNoLeadsAlert" },
            { guard: "hasRunningJob", target: "alerting", actions: alertWith("alreadySending") },
            { target: "confirming" },
          ],
        },
        confirming: {
          tags: "busy",
          invoke: {
            id: "askConfirmation",
            src: "askConfirmation",
            input: ({ context }) => ({ message: confirmationText(stageNameOf(context), context.leadCount ?? 0) }),
            onDone: [
              {
                guard: { type: "isDeclined", params: ({ event }) => ({ isConfirmed: event.output }) },
                target: "composing",
              },
              { target: "queueing" },
            ],
            onError: { target: "composing", actions: reportFailure("the confirmation could not be asked") },
          },
        },
        queueing: {
          tags: "busy",
          invoke: {
            id: "queueMessages",
            src: "queueMessages",
            input: ({ context: { message, stageId, throttle, media } }) => ({
              message,
              stageId,
              throttle: String(Number(throttle)),
              media,
            }),
            onDone: { target: "composing", actions: { type: "announceJob", params: ({ event }) => event.output } },
            onError: {
              target: "alerting",
              actions: [alertWith("notQueued"), { type: "storeProblem", params: errorOf }],
            },
          },
        },
        alerting: {
          invoke: {
            id: "showAlert",
            src: "showAlert",
            input: ({ context }) => ({ message: context.alert }),
            onDone: "composing",
            onError: { target: "composing", actions: reportFailure("an alert could not be shown") },
          },
        },
      },
    },
    job: {
      initial: "remembering",
      invoke: { id: "watchJob", src: "watchJob" },
      states: {
        remembering: { always: [{ guard: "hasRememberedJob", target: "resuming" }, { target: "looking" }] },
        resuming: {
          invoke: {
            id: "fetchRememberedJob",
            src: "fetchJob",
            input: ({ context }) => ({ jobId: context.jobId ?? "" }),
            onDone: [
              {
                guard: { type: "isRunning", params: jobOf },
                target: "running",
                actions: { type: "storeProgress", params: jobOf },
              },
              { target: "looking" },
            ],
            onError: [
              { guard: { type: "isGone", params: errorOf }, target: "looking" },
              { target: "running.stalled", actions: reportFailure("the job left behind was not found again") },
            ],
          },
        },
        // A job that another tab or program has started is shown here too.
        looking: {
          entry: ["forgetJob", "forgetRememberedJob"],
          on: { "job.queued": queued },
          invoke: {
            id: "findJob",
            src: "findJob",
            input: ({ event }) => ({ jobId: event.type === "job.changed" ? event.jobId : null }),
            onDone: [
              {
                guard: { type: "isFound", params: foundJobOf },
                target: "running",
                actions: [
                  { type: "storeFoundJob", params: foundJobOf },
                  { type: "storeProgress", params: foundJobOf },
                ],
              },
              { target: "absent" },
            ],
            onError: {
              target: "absent",
              actions: reportFailure("it is not known whether a bulk message is being sent"),
            },
          },
        },
        absent: {
          entry: ["forgetJob", "forgetRememberedJob"],
          on: { "job.queued": queued, "job.changed": "looking" },
        },
        running: {
          initial: "waiting",
          on: { "job.cancel": "cancelling", "job.queued": queued },
          states: {
            waiting: {
              entry: remember,
              on: { "job.changed": "polling" },
              after: { pollInterval: "polling" },
            },
            polling: {
              invoke: {
                id: "fetchJob",
                src: "fetchJob",
                input: ({ context }) => ({ jobId: context.jobId ?? "" }),
                onDone: [
                  {
                    guard: { type: "isRunning", params: jobOf },
                    target: "waiting",
                    actions: { type: "storeProgress", params: jobOf },
                  },
                  {
                    target: "#bulkJob.job.finished",
                    actions: [
                      { type: "storeProgress", params: jobOf },
                      { type: "storeResult", params: jobOf },
                    ],
                  },
                ],
                onError: [
                  { guard: { type: "isGone", params: errorOf }, target: "#bulkJob.job.absent" },
                  { target: "stalled", actions: reportFailure("the job's progress was not read") },
                ],
              },
            },
            stalled: { on: { "job.recheck": "polling", "job.changed": "polling" } },
          },
        },
        cancelling: {
          invoke: {
            id: "cancelJob",
            src: "cancelJob",
            input: ({ context }) => ({ jobId: context.jobId ?? "" }),
            onDone: "announcingCancel",
            onError: { target: "announcingFailure", actions: reportFailure("the job was not cancelled") },
          },
        },
        announcingCancel: {
          entry: ["forgetJob", "forgetRememberedJob"],
          invoke: {
            id: "announceCancel",
            src: "showAlert",
            input: { message: BULK_TEXTS.cancelled },
            onDone: "absent",
            onError: "absent",
          },
        },
        announcingFailure: {
          invoke: {
            id: "announceFailure",
            src: "showAlert",
            input: { message: BULK_TEXTS.notCancelled },
            onDone: "running",
            onError: "running",
          },
        },
        finished: {
          entry: remember,
          on: { "job.queued": queued },
          after: { resultDuration: "absent" },
        },
      },
    },
  },
});

export type BulkJobRef = ActorRefFrom<typeof bulkJobMachine>;
export type BulkJobSnapshot = SnapshotFrom<typeof bulkJobMachine>;
