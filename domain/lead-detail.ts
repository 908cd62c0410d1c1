import * as v from "valibot";
import { FieldValue, Lead, LeadTag } from "./lead.ts";

const nullableText = v.optional(v.nullable(v.string()), null);
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
