import * as v from "valibot";
import { pageSize, rowNumber } from "./schema-parts.ts";
import { Doer } from "./story.ts";
import { fieldProblem } from "./schema-message.ts";

const nullableText = v.optional(v.nullable(v.string()), null);

/** A person of whom nothing is stored any more. Until `undo_until` the lead can come back as it was; null when that is over. */
export const Exclusion = v.object({
  telegram_user_id: v.string(),
  name: nullableText,
  username: nullableText,
  excluded_at: v.string(),
  undo_until: nullableText,
  by: v.optional(v.nullable(Doer)),
});
export type Exclusion = v.InferOutput<typeof Exclusion>;
export const ExclusionList = v.array(Exclusion);

const LIST_MAX = 1_000;

/** `GET /exclusions`: newest first; `before` is the Telegram id of the last one seen. */
export const ExclusionsQuery = v.strictObject({
  before: v.optional(rowNumber(fieldProblem("user_id"))),
  limit: pageSize(LIST_MAX, LIST_MAX),
});
export type ExclusionsQuery = v.InferOutput<typeof ExclusionsQuery>;

/** What became of an exclusion that was taken back: the lead that is there again, or null when the person starts anew. */
export const ExclusionEnd = v.object({ lead_id: v.nullable(v.string()) });
export type ExclusionEnd = v.InferOutput<typeof ExclusionEnd>;
