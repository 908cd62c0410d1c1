import * as v from "valibot";
import type { Http } from "./http.ts";

const Answer = v.union([
  v.object({ job_id: v.string() }),
  v.object({ changed: v.number(), undo_id: v.optional(v.nullable(v.string()), null) }),
]);
const Job = v.object({
  status: v.picklist(["in_progress", "completed", "failed", "cancelled"]),
  done: v.number(),
  total: v.optional(v.nullable(v.number()), null),
  undo_id: v.optional(v.nullable(v.string()), null),
  changed: v.optional(v.number()),
});

type Where = { ids: readonly string[] } | { query: string };
type Action = { type: string; stage_id?: string; tag_ids?: readonly string[] };

const answerOf = (answer: unknown) => {
  const known = v.parse(Answer, answer);
  return "job_id" in known ? { jobId: known.job_id } : { changed: known.changed, undoId: known.undo_id };
};
const pathOf = (id: string) => `/leads/batch/${encodeURIComponent(id)}`;

/** `/leads/batch`: many leads at once. More than 5,000 are a job that goes on by itself. */
export const createBatchGateway = (http: Http) => ({
  start: async (body: { where: Where; action: Action }) =>
    answerOf(await http("/leads/batch", { method: "POST", body })),
  readJob: async ({ jobId }: { jobId: string }, signal: AbortSignal) => {
    const {
      status,
      done,
      total,
      undo_id: undoId,
      changed = done,
    } = v.parse(Job, await http(pathOf(jobId), { signal }));
    return { status, done, total, undoId, changed };
  },
  cancelJob: async ({ jobId }: { jobId: string }): Promise<void> => {
    await http(pathOf(jobId), { method: "DELETE" });
  },
  undo: async ({ undoId }: { undoId: string }) => answerOf(await http(`${pathOf(undoId)}/undo`, { method: "POST" })),
});
