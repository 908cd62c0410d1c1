import * as v from "valibot";
import { BulkCreate, BulkJob, BulkQueued, BulkRemoved } from "../../domain/bulk.ts";
import { Id } from "../../domain/schema-parts.ts";
import { CAPTION_MAX_CHARS } from "../../domain/limits.ts";
import { type Deps, callingKeyName } from "../core/deps.ts";
import { refuse, refuseInput } from "../core/problem.ts";
import { fingerprintOf, readRequestKey } from "../core/request-keys.ts";
import { parse, type Route } from "../core/routes.ts";
import { checkMedia } from "../media/store.ts";
import { readForm } from "../media/multipart.ts";
import { continueBulkJob, createBulkJob, readBulkJob, readRunningJob, removeBulkJob } from "./repository.ts";

const ById = v.strictObject({ id: Id });

export function registerBulk(route: Route, deps: Deps): void {
  const shared = { tag: "Bulk", gate: "subscribed" } as const;
  route({
    ...shared,
    method: "POST",
    url: "/api/bulk",
    scope: "send",
    id: "sendBulk",
    summary: "Send a message to many leads",
    description:
      "To all leads, to a stage's leads, to those that match the list's filters (`query`), or to exactly those in `lead_ids`, a JSON list.",
    form: { fields: BulkCreate, file: { name: "media", description: "A picture or video, 10 MB at most." } },
    refuses: { 409: ["bulk_running", "not_connected", "account_limited", "media_full"], 422: ["no_targets"] },
    takesKey: true,
    consumes: "multipart",
    answer: BulkQueued,
    handler: async ({ caller, request }) => {
      const { fields, file } = await readForm(request);
      const input = parse(BulkCreate, fields);
      if (input.message.trim() === "" && file === null) {
        throw refuseInput("message", "bulk_empty", null, "Empty.");
      }
      if (file !== null && input.message.length > CAPTION_MAX_CHARS) {
        throw refuseInput("message", "bulk_caption_too_long", { limit: CAPTION_MAX_CHARS }, "Too long.");
      }
      if (input.query !== undefined && input.stage_id !== "")
        throw refuseInput("query", "stage_or_query", null, "Cannot be combined with stage_id.");
      if (input.lead_ids !== undefined && (input.query !== undefined || input.stage_id !== ""))
        throw refuseInput("lead_ids", "leads_or_stage_or_query", null, "Cannot be combined with stage_id or query.");
      const stageId = input.stage_id === "" ? null : input.stage_id;
      if (stageId !== null && !v.is(Id, stageId))
        throw refuse(422, "no_targets", null, { fields: { stage_id: "No leads." } });
      const bulkRequest = {
        message: input.message,
        file: await checkMedia(file),
        stageId,
        throttleSeconds: input.throttle,
        filter: input.query ?? null,
        leadIds: input.lead_ids ?? null,
        byKey: callingKeyName(caller),
      };
      const chosen = input.lead_ids ?? input.query;
      const whom = chosen === undefined ? (stageId ?? "") : JSON.stringify(chosen);
      const fingerprint = fingerprintOf("bulk", input.message, whom, String(input.throttle), file ?? "");
      const key = readRequestKey(request);
      return { job_id: await createBulkJob(deps, caller.id, bulkRequest, { key, fingerprint }) };
    },
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/bulk/current",
    scope: "read",
    id: "readRunningBulk",
    summary: "Read the progress of the bulk job that is running",
    refuses: { 404: ["not_found"] },
    answer: BulkJob,
    handler: ({ caller }) => readRunningJob(deps.db, caller.id, deps.clock.iso()),
  });
  route({
    ...shared,
    method: "GET",
    url: "/api/bulk/:id",
    scope: "read",
    id: "readBulk",
    summary: "Read a bulk job's progress",
    params: ById,
    answer: BulkJob,
    handler: ({ caller, params }) => readBulkJob(deps.db, caller.id, params.id, deps.clock.iso()),
  });
  route({
    ...shared,
    method: "POST",
    url: "/api/bulk/:id/continue",
    scope: "send",
    id: "continueBulk",
    summary: "Continue a bulk job that is waiting for you",
    description:
      "A job whose Telegram account was away (disconnected, or without a subscription) for more than 24 hours is held: it waits until it is continued or cancelled.",
    params: ById,
    answer: BulkJob,
    handler: ({ caller, params }) => continueBulkJob(deps, caller.id, params.id),
  });
  route({
    ...shared,
    method: "DELETE",
    url: "/api/bulk/:id",
    scope: "send",
    id: "cancelBulk",
    summary: "Cancel a running bulk job, or dismiss a finished one",
    params: ById,
    answer: BulkRemoved,
    handler: ({ caller, params }) => removeBulkJob(deps, caller.id, params.id),
  });
}
