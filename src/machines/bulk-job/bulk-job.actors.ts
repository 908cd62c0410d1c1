import { type AnyEventObject, fromCallback, fromPromise } from "xstate";
import type { BulkJob } from "../../../domain/bulk.ts";
import type { Preflight } from "../../../domain/preflight.ts";
import type { Stage } from "../../../domain/stage.ts";
import type { RememberedJob } from "./bulk-job.memory.ts";
import { failureOf } from "../../../domain/problem.ts";
import { notProvided } from "../kit/not-provided.ts";
import { paced } from "../kit/paced.ts";
import { type Notifier, alerting, confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import { BULK_TEXTS, CANCEL_FAILED, CONTINUE_FAILED, QUEUE_FAILED } from "./bulk-job.texts.ts";

/** A fast job makes news with every message; each bit of news asks the server, so at most one a second passes on. */
const NEWS_PAUSE_MS = 1_000;

export type BulkMessage = { message: string; stageId: string; throttle: string; media: File | null };

/** How many leads a job was sent to, of how many. */
export type Reached = { sent: number; total: number };

export type PreflightRequest = { stageId: string; throttle: string; messageLength: number };

export type BulkGateway = {
  listStages(signal: AbortSignal): Promise<Stage[]>;
  /** How many leads a stage holds, or all stages when `stageId` is empty. */
  countLeads(input: { stageId: string }, signal: AbortSignal): Promise<number>;
  /** What a message would do; null where the server does not tell it. */
  foresee(input: PreflightRequest, signal: AbortSignal): Promise<Preflight | null>;
  queueMessages(input: BulkMessage): Promise<{ jobId: string }>;
  fetchJob(input: { jobId: string }, signal: AbortSignal): Promise<BulkJob>;
  /** The running job, whoever started it; rejects with 404 when there is none. */
  fetchRunningJob(signal: AbortSignal): Promise<BulkJob>;
  /** Resolves to how far the job came; null where the server does not tell it. */
  cancelJob(input: { jobId: string }): Promise<Reached | null>;
  /** Lets a held job go on. */
  continueJob(input: { jobId: string }): Promise<BulkJob>;
};

export type BulkDeps = {
  bulk: BulkGateway;
  notifier: Notifier;
  logger: WritingDeps["logger"];
  /** News that a job moved, with its id when it is known; polling alone is enough. */
  news: { onJobChanged(listener: (jobId: string | null) => void): () => void };
  /** Where the job outlives a reload, for this user alone. */
  jobMemory: { write(text: string): void; clear(): void };
  /** Keeps the page from being closed unasked while the work is under way. */
  holdPage(work: Promise<unknown>): void;
  /** What was typed has become a job and need not be kept. */
  forgetDraft(): void;
};

export const placeholderActors = {
  listStages: notProvided<Stage[], void>("listStages"),
  countLeads: notProvided<number, { stageId: string }>("countLeads"),
  foresee: notProvided<Preflight | null, PreflightRequest>("foresee"),
  queueMessages: notProvided<{ jobId: string }, BulkMessage>("queueMessages"),
  fetchJob: notProvided<BulkJob, { jobId: string }>("fetchJob"),
  findJob: notProvided<BulkJob | null, { jobId: string | null }>("findJob"),
  cancelJob: notProvided<Reached | null, { jobId: string }>("cancelJob"),
  continueJob: notProvided<BulkJob, { jobId: string }>("continueJob"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
  watchJob: fromCallback<AnyEventObject>(() => {}),
};

export const createBulkJobActors = ({
  bulk,
  notifier,
  logger,
  news,
  jobMemory,
  holdPage,
  forgetDraft,
}: BulkDeps): typeof placeholderActors => ({
  listStages: fromPromise(({ signal }) => bulk.listStages(signal)),
  countLeads: fromPromise(({ input, signal }) => bulk.countLeads(input, signal)),
  foresee: fromPromise(({ input, signal }) => bulk.foresee(input, signal)),
  queueMessages: writing<{ jobId: string }, BulkMessage>(
    { notifier, logger },
    async (input) => {
      const work = bulk.queueMessages(input);
      holdPage(work);
      const { jobId } = await work;
      // The job exists from here on, whether or not a screen is left to show it.
      jobMemory.write(JSON.stringify({ jobId, progress: null, result: null } satisfies RememberedJob));
      forgetDraft();
      return { jobId };
    },
    { done: BULK_TEXTS.queuedUnseen, failed: { ...QUEUE_FAILED, label: BULK_TEXTS.notQueued } },
  ),
  fetchJob: fromPromise(({ input, signal }) => bulk.fetchJob(input, signal)),
  findJob: fromPromise(async ({ input: { jobId }, signal }) => {
    const running =
      (await orNull(bulk.fetchRunningJob(signal))) ??
      // A server that does not know that call may still have named the job.
      (jobId === null ? null : await orNull(bulk.fetchJob({ jobId }, signal)));
    if (running?.status !== "in_progress") return null;
    const id = running.job_id ?? jobId;
    return id === null ? null : { ...running, job_id: id };
  }),
  cancelJob: writing<Reached | null, { jobId: string }>(
    { notifier, logger },
    async (input) => {
      const reached = await bulk.cancelJob(input);
      jobMemory.clear();
      return reached;
    },
    { done: BULK_TEXTS.cancelledUnseen, failed: { ...CANCEL_FAILED, label: "Failed to cancel the bulk message" } },
  ),
  continueJob: writing<BulkJob, { jobId: string }>({ notifier, logger }, (input) => bulk.continueJob(input), {
    done: BULK_TEXTS.queuedUnseen,
    failed: { ...CONTINUE_FAILED, label: "Failed to continue the bulk message" },
  }),
  askConfirmation: confirming(notifier),
  showAlert: alerting(notifier),
  watchJob: fromCallback(({ sendBack }) => {
    const { tell, end } = paced((jobId: string | null) => sendBack({ type: "job.changed", jobId }), NEWS_PAUSE_MS);
    const unsubscribe = news.onJobChanged(tell);
    return () => {
      unsubscribe();
      end();
    };
  }),
});

const orNull = (reading: Promise<BulkJob>): Promise<BulkJob | null> =>
  reading.catch((error: unknown) => {
    if (failureOf(error).status === 404) return null;
    throw error;
  });
