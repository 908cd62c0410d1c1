import * as v from "valibot";
import { pageLimit } from "./message.ts";
import { fieldProblem } from "./schema-message.ts";

export const STORY_TYPES = [
  "entered",
  "stage_moved",
  "sent",
  "held",
  "resumed",
  "skipped",
  "opted_out",
  "excluded",
  "note_changed",
  "tags_changed",
  "fields_changed",
] as const;
export type StoryType = (typeof STORY_TYPES)[number];

const optionalText = v.optional(v.nullable(v.string()));

/** Who or what did it. */
export const Actor = v.object({ kind: v.picklist(["person", "automation", "key"]), name: v.nullable(v.string()) });
export type Actor = v.InferOutput<typeof Actor>;

/** A follow-up as stories and lists name it; `order` counts from 0 within its stage. */
export const StepRef = v.object({ id: v.string(), order: v.nullable(v.number()), preview: v.string() });
export type StepRef = v.InferOutput<typeof StepRef>;

/** The code and parameters of the sentence in `words`, for translation. Times are ISO. */
export const SentenceFact = v.object({
  words_code: optionalText,
  words_params: v.optional(v.record(v.string(), v.unknown())),
});
export type SentenceFact = v.InferOutput<typeof SentenceFact>;

/** Something that happened to a lead. Which further fields it has follows from its type; stages are ids. */
export const StoryItem = v.looseObject({
  id: v.string(),
  at: v.string(),
  type: v.string(),
  by: Actor,
  /** of `entered` and `stage_moved` */
  from: optionalText,
  to: optionalText,
  keyword: optionalText,
  message_id: v.optional(v.nullable(v.number())),
  /** for `stage_moved` what moved it, for `sent` Telegram's name of a refusal */
  reason: optionalText,
  /** of `sent` */
  kind: optionalText,
  state: optionalText,
  step: v.optional(v.nullable(StepRef)),
  words: optionalText,
  ...SentenceFact.entries,
});
export type StoryItem = v.InferOutput<typeof StoryItem>;

/** Newest first; `next` is the `before` of the next page. */
export const StoryPage = v.object({ items: v.array(StoryItem), next: v.optional(v.nullable(v.string()), null) });
export type StoryPage = v.InferOutput<typeof StoryPage>;

export const StoryQuery = v.strictObject({
  before: v.optional(v.pipe(v.string(), v.regex(/^[seo]\d{1,18}$/, fieldProblem("item_id")))),
  limit: pageLimit,
});
export type StoryQuery = v.InferOutput<typeof StoryQuery>;
