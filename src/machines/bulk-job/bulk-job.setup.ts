import { and, assign, raise, setup } from "xstate";
import { type BulkJob, isThrottle } from "../../../domain/bulk.ts";
import { BULK_POLL_MS, BULK_RESULT_MS, MEDIA_MAX_BYTES, textLimit } from "../../../domain/limits.ts";
import { failureOf } from "../../../domain/problem.ts";
import type { Preflight } from "../../../domain/preflight.ts";
import type { Stage } from "../../../domain/stage.ts";
import { isConfirmed } from "../kit/asking.ts";
import { fileProblem } from "../kit/attaching.ts";
import type { ReadingEvent, ReadingTag } from "../kit/reading.ts";
import { type FailureText, failureMessage, problemOf } from "../kit/failed.ts";
import { unreported } from "../kit/reporting.ts";
import { type Reached, placeholderActors } from "./bulk-job.actors.ts";
import type { BulkResult, Progress, RememberedJob } from "./bulk-job.memory.ts";
import type { Foresight } from "./bulk-job.question.ts";
import { BULK_TEXTS, NONE_CHOSEN, noLeadsText, tooLongText } from "./bulk-job.texts.ts";

export type BulkJobContext = {
  stages: Stage[];
  stageId: string;
  media: File | null;
  message: string;
  throttle: string;
  /** leads of the target as counted for the last send; null before */
  leadCount: number | null;
  /** what is known ahead of the message that is being asked about */
  foresight: Foresight;
  /** what is being said in a dialog */
  alert: string;
  /** what is wrong with single fields of the form */
  marks: FormMarks;
  /** why nothing was queued, or what is not known of it */
  problem: string | null;
  /** why the running job was not cancelled or continued */
  jobProblem: string | null;
  jobId: string | null;
  progress: Progress | null;
  result: BulkResult | null;
  /** how far the job came that was cancelled last */
  cancelled: Reached | null;
};

export type FormMarks = Partial<Record<"message" | "media", string>>;

/** So long the question waits for its figures. */
const PREFLIGHT_PATIENCE_MS = 2_500;

// What the app fills in by provide().
const rememberJob: (_: unknown, params: RememberedJob) => void = () => {};

export const alertWith = (text: keyof typeof BULK_TEXTS) => ({
  type: "storeAlert" as const,
  params: { message: BULK_TEXTS[text] },
});
/** Says it in a dialog and beside the field. */
export const alertAt = (field: keyof FormMarks, text: keyof typeof BULK_TEXTS) =>
  [alertWith(text), { type: "storeMarks", params: { marks: { [field]: BULK_TEXTS[text] } as FormMarks } }] as const;
const limitOf = ({ media }: BulkJobContext) => textLimit(media !== null);
export const foundJobOf = ({ event }: { event: { output: BulkJob | null } }) => ({ job: event.output });
export const jobOf = ({ event }: { event: { output: BulkJob } }) => ({ job: event.output });
export const queued = {
  target: "#bulkJob.job.running",
  actions: { type: "storeJobId" as const, params: ({ event }: { event: { jobId: string } }) => event },
} as const;
export const jobIdOf = ({ context }: { context: BulkJobContext }) => ({ jobId: context.jobId ?? "" });
export const remember = {
  type: "rememberJob" as const,
  params: ({ context }: { context: BulkJobContext }) => ({
    jobId: context.jobId ?? "",
    progress: context.progress,
    result: context.result,
  }),
};
/** Leads chosen in the list are a target of their own: its filters after a question mark, those ticked after a number sign. */
export const areChosen = ({ stageId }: Pick<BulkJobContext, "stageId">): boolean => /^[?#]/.test(stageId);
export const stageNameOf = (context: BulkJobContext): string | null =>
  context.stageId === "" || areChosen(context)
    ? null
    : (context.stages.find(({ id }) => id === context.stageId)?.name ?? "Unknown");

/** What the bulk sender's chart is made of. */
export const bulkJobSetup = setup({
  types: {
    input: {} as { remembered: RememberedJob | null; stageId?: string; media?: File | null },
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
  actors: placeholderActors,
  actions: {
    storeStages: assign((_, stages: Stage[]) => ({ stages })),
    storeStageId: assign((_, params: { stageId: string }) => ({ stageId: params.stageId, leadCount: null })),
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
    storeLeadCount: assign((_, params: { count: number }) => ({ leadCount: params.count })),
    storePreflight: assign((_, params: { preflight: Preflight | null }) => ({
      foresight:
        params.preflight === null
          ? { kind: "untold" as const }
          : { kind: "known" as const, preflight: params.preflight },
    })),
    storeForesight: assign((_, foresight: Foresight) => ({ foresight })),
    storeAlert: assign((_, params: { message: string }) => ({ alert: params.message })),
    storeTooLongAlert: assign(({ context }) => ({ alert: tooLongText(limitOf(context)) })),
    storeNoLeadsAlert: assign(({ context }) => ({
      alert: areChosen(context) ? NONE_CHOSEN : noLeadsText(stageNameOf(context)),
    })),
    storeProblem: assign(problemOf),
    storeJobProblem: assign((_, { error, text }: { error: unknown; text: FailureText }) => ({
      jobProblem: failureMessage(error, text),
    })),
    /** Without an answer a job may have begun. */
    lookForJob: raise({ type: "job.changed", jobId: null }),
    forgetJobProblem: assign({ jobProblem: null }),
    announceJob: raise((_, params: { jobId: string }) => ({ type: "job.queued" as const, jobId: params.jobId })),
    storeJobId: assign(({ context }, params: { jobId: string }) => ({
      jobId: params.jobId,
      progress: {
        sent: 0,
        failed: 0,
        total: context.leadCount ?? 0,
        pausedUntil: null,
        pausedReason: null,
        isHeld: false,
      },
      result: null,
      cancelled: null,
    })),
    storeFoundJob: assign((_, { job }: { job: BulkJob | null }) => ({
      cancelled: null,
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
        isHeld: job?.is_held ?? false,
      },
    })),
    storeResult: assign((_, { job }: { job: BulkJob }) => ({
      result:
        job.status === "failed"
          ? { kind: "failed" as const, error: job.error }
          : { kind: "completed" as const, sent: job.sent_count ?? 0, failed: job.failed_count ?? 0 },
    })),
    storeCancelled: assign(({ context: { progress } }, { reached }: { reached: Reached | null }) => ({
      cancelled: reached ?? (progress && { sent: progress.sent, total: progress.total }),
    })),
    forgetJob: assign({ jobId: null, progress: null, result: null, jobProblem: null }),
    rememberJob,
    forgetRememberedJob: () => {},
    reportFailure: unreported,
  },
  guards: {
    isTooLarge: (_, { file }: { file: File | null }) => (file?.size ?? 0) > MEDIA_MAX_BYTES,
    isNotMedia: (_, { file }: { file: File | null }) => fileProblem(file) !== undefined,
    hasNothingToSend: ({ context }) => context.message.trim() === "" && context.media === null,
    isTooLong: ({ context }) => context.message.length > limitOf(context),
    hasNoLeads: ({ context }) => context.leadCount === 0,
    hasNoLeadsNorMessage: and(["hasNoLeads", "hasNothingToSend"]),
    hasRunningJob: ({ context }) => context.jobId !== null && context.result === null,
    isConfirmed,
    isThrottleOutOfRange: ({ context }) => context.throttle.trim() === "" || !isThrottle(Number(context.throttle)),
    isFound: (_, { job }: { job: BulkJob | null }) => job !== null,
    hasRememberedJob: ({ context }) => context.jobId !== null,
    isHeld: ({ context }) => context.progress?.isHeld === true,
    isRunning: (_, { job }: { job: BulkJob }) => job.status === "in_progress",
    isGone: (_, { error }: { error: unknown }) => [401, 404].includes(failureOf(error).status ?? 0),
  },
  delays: { pollInterval: BULK_POLL_MS, resultDuration: BULK_RESULT_MS, preflightPatience: PREFLIGHT_PATIENCE_MS },
});
