import * as v from "valibot";
import { Timestamp } from "./ids.ts";

/** How far back results are counted when no start is named. */
export const RESULTS_DEFAULT_DAYS = 90;

/** What a follow-up did in a period: how often it was sent, and what the people did whom it reached. */
export const FollowupResult = v.object({
  followup_id: v.string(),
  sent: v.number(),
  answered_24h: v.number(),
  answered_72h: v.number(),
  moved_on: v.number(),
  opted_out: v.number(),
  /** from the message to the answer, over those answered within 72 hours; null when nobody did */
  median_answer_minutes: v.optional(v.nullable(v.number()), null),
});
export type FollowupResult = v.InferOutput<typeof FollowupResult>;
export const FollowupResults = v.array(FollowupResult);

/** `GET /followups/results`: what was sent from `from` to `to`, both inclusive; without them the last 90 days. */
export const FollowupResultsQuery = v.strictObject({ from: v.optional(Timestamp), to: v.optional(Timestamp) });
export type FollowupResultsQuery = v.InferOutput<typeof FollowupResultsQuery>;
