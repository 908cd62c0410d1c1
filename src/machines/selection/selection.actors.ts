import { type EventObject, fromCallback, fromPromise } from "xstate";
import { notProvided } from "../kit/not-provided.ts";
import type { FailureText } from "../kit/failed.ts";
import type { Notifier } from "../kit/speaking.ts";
import { confirming } from "../kit/speaking.ts";
import { type WritingDeps, writing } from "../kit/writing.ts";
import type { RememberedBatch } from "./selection.memory.ts";

/** What is done to many leads at once. */
export type BatchAction =
  | { type: "move"; stage_id: string }
  | { type: "tag" | "untag"; tag_ids: readonly string[] }
  /** `until` is a moment in ISO text; without one a hold lasts until it is resumed. */
  | { type: "hold"; until?: string }
  | { type: "resume" | "exclude" };

/** Exactly these leads, or all that match the list's filters when the call arrives. */
export type BatchWhere = { ids: readonly string[] } | { query: string };
/** What was asked for; `did` ends the sentence that begins with the number of leads. Under one `key` it is done once. */
export type Asked = { where: BatchWhere; action: BatchAction; count: number; did: string; key: string };

/** What came of it: done at once, with why the rest was not where it broke off, or a job that goes on. */
export type BatchAnswer = { changed: number; undoId: string | null; error?: string | undefined } | { jobId: string };
/** `total` is null until the job knows it. */
export type BatchJob = {
  status: "in_progress" | "completed" | "failed" | "cancelled";
  done: number;
  total: number | null;
  /** How many are another than before. */
  changed: number;
  undoId: string | null;
  /** How much longer it can be taken back, in milliseconds; null where that is not known. */
  undoLeftMs?: number | null;
  error?: string | null;
};

export type BatchGateway = {
  start(request: { where: BatchWhere; action: BatchAction; key: string }): Promise<BatchAnswer>;
  readJob(input: { jobId: string }, signal: AbortSignal): Promise<BatchJob>;
  cancelJob(input: { jobId: string }): Promise<void>;
  undo(input: { undoId: string }): Promise<BatchAnswer>;
};

type UndoRequest = { undoId: string; type: BatchAction["type"]; count: number; did: string };

export type SelectionDeps = WritingDeps & {
  batch: BatchGateway;
  notifier: Pick<Notifier, "toast" | "warn" | "confirm">;
  events: { subscribe(type: "batch.changed", listener: () => void): () => void };
  /** Where the work outlives the page, for this person alone. */
  memory: { write(work: RememberedBatch): void; clear(): void };
  /** Keeps the page from being closed unasked while an order is on its way. */
  holdPage(work: Promise<unknown>): void;
  /** The list is to be read anew. */
  onChanged: () => void;
};

export const BATCH_FAILED: FailureText = {
  refused: "Nothing was changed. Try again.",
  unknown: "Some leads may have been changed. Try again: nothing is done twice.",
};
export const UNDO_FAILED: FailureText = {
  refused: "The change was not undone.",
  unknown: "The change may have been undone.",
};

export const STOP_FAILED: FailureText = {
  refused: "It could not be stopped.",
  unknown: "It may have been stopped.",
};

export const placeholderActors = {
  askConfirmation: notProvided<boolean, { message: string }>("askConfirmation"),
  startBatch: notProvided<BatchAnswer, Asked>("startBatch"),
  readJob: notProvided<BatchJob, { jobId: string }>("readJob"),
  cancelJob: notProvided<void, { jobId: string }>("cancelJob"),
  undoBatch: notProvided<BatchAnswer, UndoRequest>("undoBatch"),
  watchJobs: fromCallback<EventObject>(() => {}),
};

/** A step back over many leads goes on by itself. */
export const undoneWords = (answer: BatchAnswer): string => ("jobId" in answer ? "Being taken back." : "Taken back.");

export const createSelectionActors = ({
  batch,
  events,
  memory,
  holdPage,
  ...page
}: Omit<SelectionDeps, "onChanged">): typeof placeholderActors => ({
  askConfirmation: confirming(page.notifier),
  startBatch: writing<BatchAnswer, Asked>(
    page,
    async ({ where, action, key, count, did }) => {
      const work = batch.start({ where, action, key });
      holdPage(work);
      const answer = await work;
      // It exists from here on, whether or not a screen is left to show it.
      const id = "jobId" in answer ? answer.jobId : answer.undoId;
      if (id !== null) memory.write({ id, type: action.type, count, did, isUndoing: false, isTold: false });
      return answer;
    },
    { failed: BATCH_FAILED },
  ),
  readJob: fromPromise(({ input, signal }) => batch.readJob(input, signal)),
  cancelJob: writing<void, { jobId: string }>(page, (input) => batch.cancelJob(input), {
    failed: STOP_FAILED,
  }),
  undoBatch: writing<BatchAnswer, UndoRequest>(
    page,
    async ({ undoId, type, count, did }) => {
      const work = batch.undo({ undoId });
      holdPage(work);
      const answer = await work;
      if ("jobId" in answer) memory.write({ id: answer.jobId, type, count, did, isUndoing: true, isTold: false });
      return answer;
    },
    { done: undoneWords, failed: UNDO_FAILED },
  ),
  watchJobs: fromCallback<EventObject>(({ sendBack }) =>
    events.subscribe("batch.changed", () => sendBack({ type: "job.changed" })),
  ),
});
