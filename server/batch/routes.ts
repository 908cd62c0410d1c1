import type { FastifyReply } from "fastify";
import * as v from "valibot";
import type { ActionGone } from "./actions.ts";
import { BatchAnswer, BatchJob, BatchRequest } from "../../domain/batch.ts";
import { Id } from "../../domain/schema-parts.ts";
import { type Deps, callingKeyName } from "../core/deps.ts";
import { refuseInput } from "../core/problem.ts";
import { fingerprintOf, readRequestKey } from "../core/request-keys.ts";
import { hasScope, requireScope, type Route } from "../core/routes.ts";
import { startBatch, startUndo, readBatch, stopBatch, undoScope, type StartedBatch } from "./start.ts";
import { runBatch } from "./worker.ts";

const ById = v.strictObject({ id: Id });
/** A batch that takes longer continues as a job. */
const ANSWER_WITHIN_MS = 20_000;

/**
 * Runs a batch and returns its result. A large batch, or one that takes longer than `forMs`, continues as a job.
 * @throws ProblemError 422 when nothing could be done
 */
export async function answerBatch(
  deps: Deps,
  ownerId: string,
  { id, isLarge }: StartedBatch,
  forMs = ANSWER_WITHIN_MS,
): Promise<BatchAnswer> {
  if (isLarge) return { job_id: id };
  if (!(await runBatch(deps, id, forMs))) {
    await deps.bus.publish("batch.requested", { owner_id: ownerId });
    return { job_id: id };
  }
  const { changed, left, undo_id, error, error_code, error_params } = await readBatch(
    deps.db,
    ownerId,
    id,
    deps.clock.now(),
  );
  if (error === null) return { changed, left, undo_id };
  if (changed === 0) throw refuseInput("action", error_code as ActionGone["code"]);
  return { changed, left, undo_id, error, error_code, error_params };
}

/** `/api/leads/batch`: one action on many leads, its progress, stop and undo. */
export function registerBatch(route: Route, deps: Deps): void {
  const shared = { tag: "Leads", gate: "subscribed" } as const;
  const answer = async (ownerId: string, started: StartedBatch, reply: FastifyReply): Promise<BatchAnswer> => {
    const known = await answerBatch(deps, ownerId, started);
    if ("job_id" in known) void reply.code(202);
    return known;
  };
  route({
    ...shared,
    method: "POST",
    url: "/api/leads/batch",
    scope: ["write", "send"],
    id: "actOnLeads",
    summary: "Apply an action to many leads",
    description:
      "To the leads in `ids`, or to all that match the list's filters now. More than 5,000 become a job: 202 with its id.",
    also: { 202: "A background job continues it" },
    refuses: { 409: ["batch_running"] },
    takesKey: true,
    body: BatchRequest,
    answer: BatchAnswer,
    handler: async ({ caller, body, request, reply }) => {
      requireScope(caller, body.action.type === "resume" ? "send" : "write");
      const batchRequest = {
        ownerId: caller.id,
        byKey: callingKeyName(caller),
        mayEndHolds: hasScope(caller, "send"),
        key: readRequestKey(request),
        fingerprint: fingerprintOf("batch", JSON.stringify(body)),
      };
      return answer(caller.id, await startBatch(deps, batchRequest, body), reply);
    },
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/leads/batch/:id/undo",
    scope: ["write", "send"],
    id: "undoLeadBatch",
    summary: "Undo an action on many leads",
    description:
      "For 30 s after its end, every field. Leads that were changed in the meantime stay as they are and count as `left`. It needs the scope `write`; to undo a hold, `send`.",
    also: { 202: "A background job continues it" },
    refuses: { 409: ["undo_too_late", "batch_running"] },
    params: ById,
    answer: BatchAnswer,
    handler: async ({ caller, params, reply }) => {
      requireScope(caller, await undoScope(deps.db, caller.id, params.id));
      return answer(caller.id, await startUndo(deps, caller.id, params.id), reply);
    },
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/leads/batch/:id",
    scope: "read",
    id: "readLeadBatch",
    summary: "Read the progress of an action on many leads",
    params: ById,
    answer: BatchJob,
    handler: ({ caller, params }) => readBatch(deps.db, caller.id, params.id, deps.clock.now()),
  });
  route({
    ...shared,
    method: "DELETE",
    url: "/api/leads/batch/:id",
    scope: "write",
    id: "stopLeadBatch",
    summary: "Stop an action on many leads",
    params: ById,
    handler: ({ caller, params }) => stopBatch(deps, caller.id, params.id),
  });
}
