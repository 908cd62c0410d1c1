import type { UiTextOrString } from "../../domain/ui-text.ts";
import { BatchAnswer as Answer, BatchJob as Job, type BatchAction } from "../../domain/batch.ts";
import { reasonOf } from "../../domain/stored-reasons.ts";
import { parse } from "valibot";
import { UNDO_ACTS_MS } from "../../domain/limits.ts";
import type { Http } from "./http.ts";

/** Exactly these leads, or all that match the list's filters when the request arrives. */
export type BatchWhere = { ids: readonly string[] } | { query: string };

/** The result: done at once, with an error if it stopped early, or a background job. */
export type BatchAnswer = { changed: number; undoId: string | null; error?: UiTextOrString | null } | { jobId: string };

export type BatchJob = Pick<Job, "status" | "done" | "total" | "changed"> & {
  undoId: string | null;
  /** How much longer undo is possible, in milliseconds; null if that is not known. */
  undoLeftMs?: number | null;
  error?: UiTextOrString | null;
};

const answerOf = (answer: unknown): BatchAnswer => {
  const known = parse(Answer, answer);
  return "job_id" in known
    ? { jobId: known.job_id }
    : { changed: known.changed, undoId: known.undo_id, error: reasonOf(known, "error") };
};
const pathOf = (id: string) => `/leads/batch/${encodeURIComponent(id)}`;

/** `/leads/batch`: acts on many leads at once. More than 5,000 become a background job. */
export const createBatchGateway = (http: Http, now: () => number) => ({
  /** Idempotent: runs once per `key`, however often it is called. */
  start: async ({ key, ...body }: { where: BatchWhere; action: BatchAction; key: string }) =>
    answerOf(await http("/leads/batch", { method: "POST", body, headers: { "Idempotency-Key": key } })),
  readJob: async ({ jobId }: { jobId: string }, signal: AbortSignal): Promise<BatchJob> => {
    const job = parse(Job, await http(pathOf(jobId), { signal }));
    const { status, done, total, undo_id: undoId, undo_until: until, changed } = job;
    const leftMs = until === null ? NaN : Date.parse(until) - now();
    // A clock that is wrong gives no usable duration.
    const undoLeftMs = leftMs > 0 && leftMs <= UNDO_ACTS_MS ? leftMs : null;
    return { status, done, total, undoId, undoLeftMs, changed, error: reasonOf(job, "error") };
  },
  cancelJob: async ({ jobId }: { jobId: string }): Promise<void> => {
    await http(pathOf(jobId), { method: "DELETE" });
  },
  undo: async ({ undoId }: { undoId: string }) => answerOf(await http(`${pathOf(undoId)}/undo`, { method: "POST" })),
});
