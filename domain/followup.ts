import * as v from "valibot";
import { Id, Timestamp } from "./schema-parts.ts";
import { DELAY_DEFAULT_HOURS, DELAY_MAX_HOURS, DELAY_MIN_HOURS, MESSAGE_MAX_CHARS } from "./limits.ts";
import { fieldProblem } from "./schema-message.ts";

const id = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((value) => String(value)),
  v.string(),
);
const nullableText = v.optional(v.nullable(v.string()), null);

/** A follow-up; `followup_order` counts from 0 within its stage. */
export const Followup = v.object({
  id,
  stage_id: v.optional(v.nullable(id), null),
  message: v.optional(v.nullable(v.string()), ""),
  followup_order: v.optional(v.nullable(v.number()), 0),
  delay_hours: v.pipe(
    v.optional(v.nullable(v.number()), DELAY_DEFAULT_HOURS),
    v.transform((hours) => hours ?? DELAY_DEFAULT_HOURS),
    v.number(),
  ),
  media_type: nullableText,
  media_url: nullableText,
  media_base64: nullableText,
});
export type Followup = v.InferOutput<typeof Followup>;
export const FollowupList = v.array(Followup);

const delayHours = v.pipe(
  v.number(),
  v.integer(fieldProblem("whole_hours")),
  v.minValue(DELAY_MIN_HOURS),
  v.maxValue(DELAY_MAX_HOURS),
);
const followupOrder = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000));
const message = v.pipe(v.string(), v.maxLength(MESSAGE_MAX_CHARS));

/** A number that arrives as text in a multipart field. */
const numberField = (schema: v.GenericSchema<number, number>) =>
  v.pipe(v.string(), v.trim(), v.regex(/^-?\d+$/, fieldProblem("whole_number")), v.transform(Number), schema);

/** In form data, 'null' and an empty text both mean that the field is missing. */
const isGiven = (text: string | null): text is string => text !== null && text.trim() !== "" && text !== "null";
const fieldOrNull = v.optional(v.nullable(v.string(fieldProblem("number"))), null);

/** The text fields of `POST /followups` (multipart; the media part is judged by its bytes). */
export const FollowupCreate = v.strictObject({
  stage_id: v.optional(v.nullable(v.union([Id, v.literal("")]))),
  message: v.optional(message, ""),
  followup_order: v.pipe(
    fieldOrNull,
    v.transform((text) => (isGiven(text) ? text : undefined)),
    v.optional(numberField(followupOrder)),
  ),
  delay_hours: v.pipe(
    fieldOrNull,
    v.transform((text) => (isGiven(text) ? text : String(DELAY_DEFAULT_HOURS))),
    numberField(delayHours),
  ),
});
export type FollowupCreate = v.InferOutput<typeof FollowupCreate>;

/** `PATCH /followups/{id}`: any one or more of its editable fields. */
export const FollowupPatch = v.pipe(
  v.strictObject({
    message: v.optional(message),
    delay_hours: v.optional(v.nullable(delayHours)),
    followup_order: v.optional(followupOrder),
    stage_id: v.optional(v.nullable(Id)),
  }),
  v.check((patch) => Object.keys(patch).length > 0, fieldProblem("change_missing")),
);
export type FollowupPatch = v.InferOutput<typeof FollowupPatch>;

/** Leads whose step was overdue by more than a day when automation could first send it, the most overdue first. */
export const OverdueFollowups = v.object({
  total: v.number(),
  leads: v.array(
    v.object({ lead_id: v.string(), name: v.nullable(v.string()), followup_id: v.string(), due_at: v.string() }),
  ),
});
export type OverdueFollowups = v.InferOutput<typeof OverdueFollowups>;
/** `POST /followups/overdue/confirm`: the leads to send to; without them, all in the list. */
export const OverdueConfirm = v.strictObject({ lead_ids: v.optional(v.pipe(v.array(Id), v.maxLength(1000))) });
export const OverduePlanned = v.object({ planned: v.number() });
export type OverduePlanned = v.InferOutput<typeof OverduePlanned>;

/** The default period of results. */
export const RESULTS_DEFAULT_DAYS = 90;

/** A follow-up's results in a period: how often it was sent, and what its recipients did. */
export const FollowupResult = v.object({
  followup_id: v.string(),
  sent: v.number(),
  answered_24h: v.number(),
  answered_72h: v.number(),
  moved_on: v.number(),
  opted_out: v.number(),
  /** minutes until the reply, the median of leads who replied within 72 hours; null without replies */
  median_answer_minutes: v.optional(v.nullable(v.number()), null),
});
export type FollowupResult = v.InferOutput<typeof FollowupResult>;
export const FollowupResults = v.array(FollowupResult);

/** `GET /followups/results`: what was sent from `from` to `to`, both inclusive; without them the last 90 days. */
export const FollowupResultsQuery = v.strictObject({ from: v.optional(Timestamp), to: v.optional(Timestamp) });
export type FollowupResultsQuery = v.InferOutput<typeof FollowupResultsQuery>;
