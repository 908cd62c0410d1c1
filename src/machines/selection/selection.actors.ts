import { type EventObject, fromCallback, fromPromise } from "xstate";
import { failureOf } from "../../../domain/problem.ts";
import { notProvided } from "../kit/not-provided.ts";
import type { Notifier } from "../kit/speaking.ts";
import { confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";

/** What is done to many leads at once. */
export type BatchAction =
  | { type: "move"; stage_id: string }
  | { type: "tag" | "untag"; tag_ids: readonly string[] }
  | { type: "hold" | "resume" | "exclude" };

/** Exactly these leads, or all that match the list's filters when the call arrives. */
export type BatchWhere = { ids: readonly string[] } | { query: string };
export type BatchRequest = { where: BatchWhere; action: BatchAction };

/** What came of it: done at once, or a job that goes on. */
export type BatchAnswer = { changed: number; undoId: string | null } | { jobId: string };
/** `total` is null until the job knows it. */
export type BatchJob = {
  status: "in_progress" | "completed" | "failed" | "cancelled";
  done: number;
  total: number | null;
  /** How many are another than before. */
  changed: number;
  undoId: string | null;
};

export type BatchGateway = {
  start(request: BatchRequest): Promise<BatchAnswer>;
  readJob(input: { jobId: string }, signal: AbortSignal): Promise<BatchJob>;
  cancelJob(input: { jobId: string }): Promise<void>;
  undo(input: { undoId: string }): Promise<BatchAnswer>;
};

export type SelectionDeps = WritingDeps & {
  batch: BatchGateway;
  notifier: Pick<Notifier, "toast" | "warn" | "confirm">;
  events: { subscribe(type: "batch.changed", listener: () => void): () => void };
  /** The list is to be read anew. */
  onChanged: () => void;
};

export const NOT_DONE = "Nothing was changed. Try again.";
export const NOT_UNDONE = "It could not be taken back.";

export const placeholderActors = {
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  startBatch: notProvided<BatchAnswer, BatchRequest>("startBatch"),
  readJob: notProvided<BatchJob, { jobId: string }>("readJob"),
  cancelJob: notProvided<void, { jobId: string }>("cancelJob"),
  undoBatch: notProvided<BatchAnswer, { undoId: string }>("undoBatch"),
  watchJobs: fromCallback<EventObject>(() => {}),
};

/** A step back over many leads goes on by itself. */
export const undoneWords = (answer: BatchAnswer): string => ("jobId" in answer ? "Being taken back." : "Taken back.");
export const wordsOf = (error: unknown, otherwise: string): string => failureOf(error).message ?? otherwise;

export const createSelectionActors = ({
  batch,
  events,
  ...page
}: Omit<SelectionDeps, "onChanged">): typeof placeholderActors => ({
  askConfirmation: confirming(page.notifier),
  startBatch: writing<BatchAnswer, BatchRequest>(page, (request) => batch.start(request), {
    failed: (error) => wordsOf(error, NOT_DONE),
  }),
  readJob: fromPromise(({ input, signal }) => batch.readJob(input, signal)),
  cancelJob: writing<void, { jobId: string }>(page, (input) => batch.cancelJob(input), {
    failed: "It could not be stopped.",
  }),
  undoBatch: writing<BatchAnswer, { undoId: string }>(page, (input) => batch.undo(input), {
    done: undoneWords,
    failed: (error) => wordsOf(error, NOT_UNDONE),
  }),
  watchJobs: fromCallback<EventObject>(({ sendBack }) =>
    events.subscribe("batch.changed", () => sendBack({ type: "job.changed" })),
  ),
});
