import { msg } from "@lingui/core/runtime-macro";
import * as v from "valibot";
import { reasonEntries, Done } from "./schema-parts.ts";
import { LeadFilterText } from "./lead-filter.ts";
import { LeadIdsText } from "./lead-ids.ts";
import { MESSAGE_MAX_CHARS, THROTTLE_DEFAULT_SECONDS, THROTTLE_MAX_SECONDS, THROTTLE_MIN_SECONDS } from "./limits.ts";
import type { UiText, UiTextOrString } from "./ui-text.ts";
import { fieldProblem } from "./schema-message.ts";

const BULK_STATUSES = ["in_progress", "completed", "failed"] as const;

const count = v.optional(v.nullable(v.number()), 0);

/** A bulk job's progress. A paused job is `in_progress` with a reason. */
export const BulkJob = v.object({
  job_id: v.optional(v.nullable(v.union([v.string(), v.number()]))),
  status: v.picklist(BULK_STATUSES),
  sent_count: count,
  failed_count: count,
  total_targets: count,
  error: v.optional(v.nullable(v.string()), null),
  ...reasonEntries("error"),
  paused_until: v.optional(v.nullable(v.string()), null),
  paused_reason: v.optional(v.nullable(v.string()), null),
  /** the code of the reason */
  paused_code: v.optional(v.nullable(v.string()), null),
  /** it waits for the user to continue or cancel it */
  is_held: v.optional(v.boolean(), false),
});
export type BulkJob = v.InferOutput<typeof BulkJob>;

/** The progress of a job that was cancelled or dismissed. */
export const BulkRemoved = v.object({ ...Done.entries, sent_count: v.number(), total_targets: v.number() });
export type BulkRemoved = v.InferOutput<typeof BulkRemoved>;

/** Why a job waits, by code. */
export const PAUSE_MESSAGES = {
  not_connected: msg`Telegram is disconnected. Connect it again to go on.`,
  no_subscription: msg`The subscription has ended. Renew it to go on.`,
  held: msg`Your Telegram account was away for more than 24 hours. Continue to send the rest, or cancel it.`,
  account_waits: msg`Telegram asked this account to wait. Sending resumes automatically.`,
  daily_limit: msg`The daily limit for people you have not talked to lately is reached. Sending resumes tomorrow.`,
} satisfies Record<string, UiText>;

/** Returns why a job is waiting: the text for the server's code, or its English where the code is unknown. */
export const pauseMessage = (code: string | null, reason: string | null): UiTextOrString | null =>
  code !== null && Object.hasOwn(PAUSE_MESSAGES, code) ? PAUSE_MESSAGES[code as keyof typeof PAUSE_MESSAGES] : reason;

export const BulkQueued = v.object({
  job_id: v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((id) => String(id)),
    v.string(),
  ),
});

/** True for a throttle (seconds per message) that is allowed, on the screen and in the API. */
export const isThrottle = (seconds: number): boolean =>
  Number.isFinite(seconds) && seconds >= THROTTLE_MIN_SECONDS && seconds <= THROTTLE_MAX_SECONDS;

/** A throttle (seconds per message) as a form or an address contains it. */
export const Throttle = v.optional(
  v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^\d+(\.\d+)?$/, fieldProblem("throttle")),
    v.transform(Number),
    v.check(isThrottle, fieldProblem("throttle")),
  ),
  String(THROTTLE_DEFAULT_SECONDS),
);

/** The text fields of `POST /bulk` (multipart). */
export const BulkCreate = v.strictObject({
  message: v.optional(v.pipe(v.string(), v.maxLength(MESSAGE_MAX_CHARS)), ""),
  stage_id: v.optional(v.pipe(v.string(), v.maxLength(100)), ""),
  throttle: Throttle,
  /** instead of a stage: the list's filters as one string, for the leads that match when the request arrives */
  query: v.optional(LeadFilterText),
  /** instead of a stage: a JSON list of exactly these leads */
  lead_ids: v.optional(LeadIdsText),
});
export type BulkCreate = v.InferOutput<typeof BulkCreate>;
