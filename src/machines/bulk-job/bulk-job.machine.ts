import { type ActorRefFrom, type SnapshotFrom, and, assign, raise, setup } from "xstate";
import { type BulkJob, isThrottle } from "../../../domain/bulk.ts";
import { BULK_POLL_MS, BULK_RESULT_MS, MEDIA_MAX_BYTES } from "../../../domain/limits.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { Stage } from "../../../domain/stage.ts";
import { placeholderActors } from "./bulk-job.actors.ts";
import type { BulkResult, Progress, RememberedJob } from "./bulk-job.memory.ts";
import { BULK_TEXTS, confirmationText, noLeadsText } from "./bulk-job.texts.ts";

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
const reportFailure: (_: unknown, params: { what: string; error: unknown }) => void = () => {};

const unheard = (what: string) => ({
  type: "reportFailure" as const,
  params: ({ event }: { event: { error: unknown } }) => ({ what, error: event.error }),
});
const alertWith = (text: keyof typeof BULK_TEXTS) => ({
  type: "storeAlert" as const,
  params: { message: BULK_TEXTS[text] },
});
const jobOf = ({ event }: { event: { output: BulkJob } }) => ({ job: event.output });
const errorOf = ({ event }: { event: { error: unknown } }) => ({ error: event.error });
const fileOf = ({ event }: { event: { file: File | null } }) => ({ file: event.file });
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
    input: {} as { remembered: RememberedJob | null },
    context: {} as Context,
    events: {} as
      | { type: "stage.choose"; stageId: string }
      | { type: "media.choose"; file: File | null }
      | { type: "message.send"; message: string; throttle: string }
      | { type: "job.queued"; jobId: string }
      | { type: "job.changed" }
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
    storeProgress: assign((_, { job }: { job: BulkJob }) => ({
      progress: {
        sent: job.sent_count ?? 0,
        failed: job.failed_count ?? 0,
        total: job.total_targets ?? 0,
        pausedUntil: job.paused_until,
        pausedReason: job.paused_reason,
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
    reportFailure,
  },
  guards: {
    isTooLarge: (_, { file }: { file: File | null }) => (file?.size ?? 0) > MEDIA_MAX_BYTES,
    isNotMedia: (_, { file }: { file: File | null }) => file !== null && !/^(image|video)\//.test(file.type),
    hasNothingToSend: ({ context }) => context.message.trim() === "" && context.media === null,
    hasNoLeads: ({ context }) => context.leadCount === 0,
    hasNoLeadsNorMessage: and(["hasNoLeads", "hasNothingToSend"]),
    hasRunningJob: ({ context }) => context.jobId !== null && context.result === null,
    isDeclined: (_, params: { isConfirmed: boolean }) => !params.isConfirmed,
    isThrottleOutOfRange: ({ context }) => context.throttle.trim() === "" || !isThrottle(Number(context.throttle)),
    hasRememberedJob: ({ context }) => context.jobId !== null,
    isRunning: (_, { job }: { job: BulkJob }) => job.status === "in_progress",
    isGone: (_, { error }: { error: unknown }) => [401, 404].includes(failureOf(error).status ?? 0),
  },
  delays: { pollInterval: BULK_POLL_MS, resultDuration: BULK_RESULT_MS },
}).createMachine({
  id: "bulkJob",
  context: ({ input }) => ({
    stages: [],
    stageId: "",
    media: null,
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
            onError: { target: "missing", actions: unheard("the stages to choose from were not loaded") },
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
              { guard: "isThrottleOutOfRange", target: "alerting", actions: alertWith("throttleOutOfRange") },
              { target: "queueing" },
            ],
            onError: { target: "composing", actions: unheard("the confirmation could not be asked") },
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
            onError: { target: "composing", actions: unheard("an alert could not be shown") },
          },
        },
      },
    },
    job: {
      initial: "remembering",
      invoke: { id: "watchJob", src: "watchJob" },
      states: {
        remembering: { always: [{ guard: "hasRememberedJob", target: "resuming" }, { target: "absent" }] },
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
              { target: "absent" },
            ],
            onError: [
              { guard: { type: "isGone", params: errorOf }, target: "absent" },
              { target: "running.stalled", actions: unheard("the job left behind was not found again") },
            ],
          },
        },
        absent: {
          entry: ["forgetJob", "forgetRememberedJob"],
          on: { "job.queued": { target: "running", actions: { type: "storeJobId", params: ({ event }) => event } } },
        },
        running: {
          initial: "waiting",
          on: { "job.cancel": "cancelling" },
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
                  { target: "stalled", actions: unheard("the job's progress was not read") },
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
            onError: { target: "announcingFailure", actions: unheard("the job was not cancelled") },
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
          on: { "job.queued": { target: "running", actions: { type: "storeJobId", params: ({ event }) => event } } },
          after: { resultDuration: "absent" },
        },
      },
    },
  },
});

export type BulkJobRef = ActorRefFrom<typeof bulkJobMachine>;
export type BulkJobSnapshot = SnapshotFrom<typeof bulkJobMachine>;
