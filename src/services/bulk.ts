import * as v from "valibot";
import type { BulkTarget } from "../../domain/bulk-target.ts";
import { BulkJob, BulkQueued, BulkRemoved } from "../../domain/bulk.ts";
import { LEADS_MAX_LIMIT } from "../../domain/limits.ts";
import { Preflight } from "../../domain/preflight.ts";
import { nullOn } from "../../domain/problem.ts";
import type { Http } from "./http.ts";
import { createStagesList } from "./stages.ts";
import type { SafeStorage } from "./storage.ts";

// Decodes only the number of leads: decoding each lead would be slow for a hundred thousand.
const LeadsToCount = v.object({ leads: v.array(v.unknown()), total: v.optional(v.nullable(v.number())) });

/** Returns the ids of the selected leads stored under this name. */
type ReadNamed = (name: string) => readonly string[];

/** Returns the request fields that name a stage or a filter. */
const fieldsOf = (target: Exclude<BulkTarget, { kind: "leads" }>): { stage_id: string } | { query: string } =>
  target.kind === "query" ? { query: target.query } : { stage_id: target.stageId };

const jobPath = (jobId: string) => `/bulk/${encodeURIComponent(jobId)}`;

/** The last finished job: it makes the same message a new request, even if the first one got no response. Stored with the request keys. */
const LAST_JOB = "leadloom.bulk_last_job";

/** The calls of the bulk sender. Reject with HttpError if refused, with valibot's error if the response is invalid. */
export const createBulkGateway = (
  { http, sessionStorage }: { http: Http; sessionStorage: SafeStorage },
  readNamed: ReadNamed = () => [],
) => {
  const noteEnd = (jobId: string) => sessionStorage.set(LAST_JOB, jobId);
  return {
    listStages: createStagesList(http),
    /** Counts the leads of the target. */
    async countLeads({ target }: { target: BulkTarget }, signal: AbortSignal) {
      if (target.kind === "leads") return readNamed(target.name).length;
      const query = { limit: LEADS_MAX_LIMIT, fields: "id", ...(target.kind === "stage" ? fieldsOf(target) : {}) };
      const address = target.kind === "query" ? `/leads?${target.query}` : "/leads";
      const { leads, total } = v.parse(LeadsToCount, await http(address, { query, signal }));
      return leads.length === 0 ? 0 : Math.max(leads.length, total ?? 0);
    },
    /** Predicts what a message would do if it were started now; null if the server does not know the call. */
    async preflight(
      { target, throttle, messageLength }: { target: BulkTarget; throttle: string; messageLength: number },
      signal: AbortSignal,
    ): Promise<Preflight | null> {
      // A file without text has no length to check.
      const length = messageLength > 0 ? messageLength : undefined;
      const request =
        target.kind === "leads"
          ? {
              method: "POST" as const,
              body: { lead_ids: readNamed(target.name), throttle: Number(throttle), message_length: length },
            }
          : { query: { ...fieldsOf(target), throttle, message_length: length } };
      // An older server takes this path for that of a job, and returns 404.
      const answer = await http("/bulk/preflight", { ...request, signal }).catch(nullOn(404));
      return answer === null ? null : v.parse(Preflight, answer);
    },
    /** Queues a message; `throttle` is seconds per message, as typed. */
    async queueMessages(input: { message: string; target: BulkTarget; throttle: string; media: File | null }) {
      const body = new FormData();
      body.append("message", input.message);
      const { target } = input;
      const fields = target.kind === "leads" ? { lead_ids: JSON.stringify(readNamed(target.name)) } : fieldsOf(target);
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      body.append("throttle", input.throttle);
      if (input.media) body.append("media", input.media, input.media.name);
      const once = sessionStorage.get(LAST_JOB) ?? true;
      return { jobId: v.parse(BulkQueued, await http("/bulk", { method: "POST", body, once })).job_id };
    },
    async fetchJob({ jobId }: { jobId: string }, signal: AbortSignal) {
      const job = v.parse(BulkJob, await http(jobPath(jobId), { signal }));
      if (job.status !== "in_progress") noteEnd(jobId);
      return job;
    },
    async fetchRunningJob(signal: AbortSignal) {
      return v.parse(BulkJob, await http("/bulk/current", { signal }));
    },
    /** Resumes a held job. */
    async continueJob({ jobId }: { jobId: string }) {
      return v.parse(BulkJob, await http(`${jobPath(jobId)}/continue`, { method: "POST" }));
    },
    /** Resolves to the job's progress; null if the server does not report it. */
    async cancelJob({ jobId }: { jobId: string }) {
      const answer = v.safeParse(BulkRemoved, await http(jobPath(jobId), { method: "DELETE" }));
      noteEnd(jobId);
      return answer.success ? { sent: answer.output.sent_count, total: answer.output.total_targets } : null;
    },
  };
};
