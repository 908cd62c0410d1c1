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

type Where = { ids: readonly string[] } | { query: string };
type Action = { type: string; stage_id?: string; tag_ids?: readonly string[] };

const answerOf = (answer: unknown) => {
  const known = v.parse(Answer, answer);
  return "job_id" in known
    ? { jobId: known.job_id }
    : { changed: known.changed, undoId: known.undo_id, error: known.error };
};
const pathOf = (id: string) => `/leads/batch/${encodeURIComponent(id)}`;

/** `/leads/batch`: many leads at once. More than 5,000 are a job that goes on by itself. */
export const createBatchGateway = (http: Http, now: () => number) => ({
  /** Under one `key` it is done once, however often it is asked for. */
  start: async ({ key, ...body }: { where: Where; action: Action; key: string }) =>
    answerOf(await http("/leads/batch", { method: "POST", body, headers: { "Idempotency-Key": key } })),
  readJob: async ({ jobId }: { jobId: string }, signal: AbortSignal) => {
    const {
      status,
      done,
      total,
      undo_id: undoId,
      undo_until: until,
      error,
      changed = done,
    } = v.parse(Job, await http(pathOf(jobId), { signal }));
    const leftMs = until === null ? NaN : Date.parse(until) - now();
    // By a clock that goes wrong nothing is known.
    const undoLeftMs = leftMs > 0 && leftMs <= UNDO_ACTS_MS ? leftMs : null;
    return { status, done, total, undoId, undoLeftMs, changed, error };
  },
  cancelJob: async ({ jobId }: { jobId: string }): Promise<void> => {
    await http(pathOf(jobId), { method: "DELETE" });
  },
  undo: async ({ undoId }: { undoId: string }) => answerOf(await http(`${pathOf(undoId)}/undo`, { method: "POST" })),
});
