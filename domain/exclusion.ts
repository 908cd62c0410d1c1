import * as v from "valibot";
import { pageSize, rowNumber } from "./schema-parts.ts";
import { Actor } from "./story.ts";
import { fieldProblem } from "./schema-message.ts";

const nullableText = v.optional(v.nullable(v.string()), null);

/** An excluded person, of whom nothing is stored. Until `undo_until` the lead can be restored; null afterwards. */
export const Exclusion = v.object({
  telegram_user_id: v.string(),
  name: nullableText,
  username: nullableText,
  excluded_at: v.string(),
  undo_until: nullableText,
  by: v.optional(v.nullable(Actor)),
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

/** The result of ending an exclusion: the restored lead, or null if the person will start as a new lead. */
export const ExclusionEnd = v.object({ lead_id: v.nullable(v.string()) });
export type ExclusionEnd = v.InferOutput<typeof ExclusionEnd>;
