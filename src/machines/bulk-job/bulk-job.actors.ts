import { type AnyEventObject, fromCallback, fromPromise } from "xstate";
import type { BulkJob } from "../../../domain/bulk.ts";
import type { Stage } from "../../../domain/stage.ts";
import { notProvided } from "../kit/not-provided.ts";

export type BulkMessage = { message: string; stageId: string; throttle: string; media: File | null };

export type BulkGateway = {
  listStages(signal: AbortSignal): Promise<Stage[]>;
  /** How many leads a stage holds, or all stages when `stageId` is empty. */
  countLeads(input: { stageId: string }, signal: AbortSignal): Promise<number>;
  queueMessages(input: BulkMessage, signal: AbortSignal): Promise<{ jobId: string }>;
  fetchJob(input: { jobId: string }, signal: AbortSignal): Promise<BulkJob>;
  cancelJob(input: { jobId: string }, signal: AbortSignal): Promise<void>;
};

export type BulkDeps = {
  bulk: BulkGateway;
  notifier: { alert(message: string): Promise<void>; confirm(message: string): Promise<boolean> };
  /** News that the running job moved; polling alone is enough. */
  news: { onJobChanged(listener: () => void): () => void };
};

export const placeholderActors = {
  listStages: notProvided<Stage[], void>("listStages"),
  countLeads: notProvided<number, { stageId: string }>("countLeads"),
  queueMessages: notProvided<{ jobId: string }, BulkMessage>("queueMessages"),
  fetchJob: notProvided<BulkJob, { jobId: string }>("fetchJob"),
  cancelJob: notProvided<void, { jobId: string }>("cancelJob"),
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  showAlert: notProvided<void, { message: string }>("showAlert"),
  watchJob: fromCallback<AnyEventObject>(() => {}),
};

export const createBulkJobActors = ({ bulk, notifier, news }: BulkDeps): typeof placeholderActors => ({
  listStages: fromPromise(({ signal }) => bulk.listStages(signal)),
  countLeads: fromPromise(({ input, signal }) => bulk.countLeads(input, signal)),
  queueMessages: fromPromise(({ input, signal }) => bulk.queueMessages(input, signal)),
  fetchJob: fromPromise(({ input, signal }) => bulk.fetchJob(input, signal)),
  cancelJob: fromPromise(({ input, signal }) => bulk.cancelJob(input, signal)),
  askConfirmation: fromPromise(({ input }) => notifier.confirm(input.message)),
  showAlert: fromPromise(({ input }) => notifier.alert(input.message)),
  watchJob: fromCallback(({ sendBack }) => {
    const { tell, stop } = paced(() => sendBack({ type: "job.changed" }));
    const unsubscribe = news.onJobChanged(tell);
    return () => {
      unsubscribe();
      stop();
    };
  }),
});

/** A fast job makes news with every message; each bit of news asks the server, so at most one a second passes on. */
const NEWS_PAUSE_MS = 1_000;

function paced(pass: () => void): { tell: () => void; stop: () => void } {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isMissed = false;
  const tell = () => {
    isMissed = pause !== undefined;
    if (isMissed) return;
    pass();
    pause = setTimeout(() => {
      pause = undefined;
      if (isMissed) tell();
    }, NEWS_PAUSE_MS);
  };
  return { tell, stop: () => clearTimeout(pause) };
}
