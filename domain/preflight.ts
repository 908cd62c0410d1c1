import * as v from "valibot";
import { Throttle, isThrottle } from "./bulk.ts";
import { LeadFilterText } from "./lead-filter.ts";
import { LeadIds } from "./lead-ids.ts";
import { MESSAGE_MAX_CHARS, THROTTLE_DEFAULT_SECONDS } from "./limits.ts";
import { fieldProblem } from "./schema-message.ts";

const count = v.pipe(v.number(), v.minValue(0));

/**
 * `GET /bulk/preflight`: what a bulk message would do if it were started now. A skipped lead counts once, under the first reason that
 * applies. `cold` counts the reachable leads that count toward the daily limit. Times are ISO, and null if the job could not run to
 * its end: no recipients, no account, no subscription, an account that Telegram limits. `unchecked` counts recipients whose reachability
 * was not checked with Telegram recently.
 */
export const Preflight = v.object({
  targets: count,
  reachable: count,
  skipped: v.array(v.object({ reason: v.string(), words: v.string(), count })),
  cold: count,
  cold_left_today: count,
  starts_at: v.nullable(v.string()),
  finishes_at: v.nullable(v.string()),
  unchecked: v.optional(count, 0),
});
export type Preflight = v.InferOutput<typeof Preflight>;

const lengthProblem = fieldProblem("message_length", { limit: MESSAGE_MAX_CHARS });

/** An absent or empty stage means all leads, as for the job itself. */
export const PreflightQuery = v.strictObject({
  stage_id: v.optional(v.pipe(v.string(), v.maxLength(100)), ""),
  /** as for the job itself */
  query: v.optional(LeadFilterText),
  throttle: Throttle,
  message_length: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,7}$/, lengthProblem),
      v.transform(Number),
      v.minValue(1, lengthProblem),
      v.maxValue(MESSAGE_MAX_CHARS, lengthProblem),
    ),
  ),
});
export type PreflightQuery = v.InferOutput<typeof PreflightQuery>;

/** `POST /bulk/preflight`: the same for leads listed by id, which would not fit in an address. */
export const PreflightOfLeads = v.strictObject({
  lead_ids: LeadIds,
  throttle: v.optional(v.pipe(v.number(), v.check(isThrottle, fieldProblem("throttle"))), THROTTLE_DEFAULT_SECONDS),
  message_length: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1, lengthProblem), v.maxValue(MESSAGE_MAX_CHARS, lengthProblem)),
  ),
});
