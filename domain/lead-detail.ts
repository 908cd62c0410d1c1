import * as v from "valibot";
import { Lead } from "./lead.ts";

const nullableText = v.optional(v.nullable(v.string()), null);
/** A tag as a lead carries it. */
export const LeadTag = v.object({ id: v.string(), name: v.string(), color: v.string() });
export type LeadTag = v.InferOutput<typeof LeadTag>;

/** A value of the person's own field: a number for a number, else a text; a date as YYYY-MM-DD; null is none. */
export const FieldValue = v.nullable(v.union([v.string(), v.number()]));
export type FieldValue = v.InferOutput<typeof FieldValue>;

const count = v.pipe(v.number(), v.minValue(0));

/** `GET /leads/{id}`: the lead with what its own page shows of it. What a later part of the product fills is empty until then. */
export const LeadDetail = v.object({
  ...Lead.entries,
  stage_entered_at: nullableText,
  unreachable_reason: nullableText,
  opted_out_at: nullableText,
  tags: v.optional(v.array(LeadTag), []),
  fields: v.optional(v.record(v.string(), FieldValue), {}),
  unread: v.optional(count, 0),
  waiting_since: nullableText,
  automation: v.optional(v.nullable(v.looseObject({ state: v.string() })), null),
  /** what the composer shows, whoever wrote it */
  draft: nullableText,
});
export type LeadDetail = v.InferOutput<typeof LeadDetail>;
