import type { UiTextOrString } from "../../domain/ui-text.ts";
import { reasonOf } from "../../domain/stored-reasons.ts";
import * as v from "valibot";
import { UNDO_ACTS_MS } from "../../domain/limits.ts";
import type { Http } from "./http.ts";

const Answer = v.union([
  v.object({ job_id: v.string() }),
  v.object({
    changed: v.number(),
    undo_id: v.optional(v.nullable(v.string()), null),
    error: v.optional(v.string()),
  }),
]);
const Job = v.object({
  status: v.picklist(["in_progress", "completed", "failed", "cancelled"]),
  done: v.number(),
  total: v.optional(v.nullable(v.number()), null),
  undo_id: v.optional(v.nullable(v.string()), null),
  undo_until: v.optional(v.nullable(v.string()), null),
  error: v.optional(v.nullable(v.string()), null),
  changed: v.optional(v.number()),
});

/** What is done to many leads at once. */
export type BatchAction =
  | { type: "move"; stage_id: string }
  | { type: "tag" | "untag"; tag_ids: readonly string[] }
  /** `until` is a moment in ISO text; without one a hold lasts until it is resumed. */
  | { type: "hold"; until?: string }
  | { type: "resume" | "exclude" };

/** Exactly these leads, or all that match the list's filters when the call arrives. */
export type BatchWhere = { ids: readonly string[] } | { query: string };

/** What came of it: done at once, with why the rest was not where it broke off, or a job that goes on. */
export type BatchAnswer = { changed: number; undoId: string | null; error?: UiTextOrString | null } | { jobId: string };

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
  error?: UiTextOrString | null;
};

const answerOf = (answer: unknown): BatchAnswer => {
  const known = v.parse(Answer, answer);
  return "job_id" in known
    ? { jobId: known.job_id }
    : { changed: known.changed, undoId: known.undo_id, error: reasonOf(known, "error") };
};
const pathOf = (id: string) => `/leads/batch/${encodeURIComponent(id)}`;

/** `/leads/batch`: many leads at once. More than 5,000 are a job that goes on by itself. */
export const createBatchGateway = (http: Http, now: () => number) => ({
  /** Under one `key` it is done once, however often it is asked for. */
  start: async ({ key, ...body }: { where: BatchWhere; action: BatchAction; key: string }) =>
    answerOf(await http("/leads/batch", { method: "POST", body, headers: { "Idempotency-Key": key } })),
  readJob: async ({ jobId }: { jobId: string }, signal: AbortSignal): Promise<BatchJob> => {
    const job = v.parse(Job, await http(pathOf(jobId), { signal }));
    const { status, done, total, undo_id: undoId, undo_until: until, changed = done } = job;
    const leftMs = until === null ? NaN : Date.parse(until) - now();
    // By a clock that goes wrong nothing is known.
    const undoLeftMs = leftMs > 0 && leftMs <= UNDO_ACTS_MS ? leftMs : null;
    return { status, done, total, undoId, undoLeftMs, changed, error: reasonOf(job, "error") };
  },
  cancelJob: async ({ jobId }: { jobId: string }): Promise<void> => {
    await http(pathOf(jobId), { method: "DELETE" });
  },
  undo: async ({ undoId }: { undoId: string }) => answerOf(await http(`${pathOf(undoId)}/undo`, { method: "POST" })),
});
