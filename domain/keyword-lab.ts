import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";
import { StageDraft } from "./stage.ts";

/** How far back stored messages are looked at, at most and unless told otherwise. */
const LAB_MAX_DAYS = 90;
/** How many changes and overlaps an answer lists; their totals count all. */
export const LAB_MAX_LISTED = 200;

const OVERLAP_KINDS = ["same", "contains"] as const;
/**
 * - `ignored`: empty, or a single character without quotes: it never matches
 * - `short`: two characters without quotes: it stands inside many words
 * - `inside_words`: it was found in the middle of longer words
 * - `mixed_scripts`: one word of it mixes letters of scripts that look alike, such as a Cyrillic "а" in "price"
 */
const WARNING_CODES = ["ignored", "short", "inside_words", "mixed_scripts"] as const;

const nullableText = v.optional(v.nullable(v.string()), null);
const count = v.optional(v.number(), 0);

/**
 * `POST /stages/preview`: the stages as they would be saved. A stage that has no id yet is named `new-1`, `new-2`, … in the answer, by its
 * place in the list.
 */
export const KeywordPreviewOrder = v.strictObject({
  stages: v.pipe(v.array(StageDraft), v.minLength(1, fieldProblem("stages_missing")), v.maxLength(1000)),
  days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LAB_MAX_DAYS)), LAB_MAX_DAYS),
});
export type KeywordPreviewOrder = v.InferOutput<typeof KeywordPreviewOrder>;

/**
 * A message after which the lead would stand elsewhere than it does by the saved words. `from` is where it stood, `before` where the saved
 * words leave it, `after` where the edited ones do: all three are stages, and staying is the same stage again.
 */
export const KeywordChange = v.object({
  lead_id: v.string(),
  name: nullableText,
  at: v.string(),
  /** the text around the word, 160 characters at most */
  excerpt: v.string(),
  /** where the word stands in the excerpt, in UTF-16 units */
  matched: v.optional(v.nullable(v.object({ start: v.number(), length: v.number() })), null),
  /** the word that decides, without quotes: the edited one, or the saved one where no edited word does */
  keyword: v.string(),
  from: nullableText,
  before: nullableText,
  after: nullableText,
});
export type KeywordChange = v.InferOutput<typeof KeywordChange>;

/** Two keywords of different stages that are the same, or of which the first holds the other. */
export const KeywordOverlap = v.object({
  keyword: v.string(),
  stage: v.string(),
  other: v.string(),
  other_stage: v.string(),
  kind: v.picklist(OVERLAP_KINDS),
});
export type KeywordOverlap = v.InferOutput<typeof KeywordOverlap>;

/** Something a person should know of a keyword; `words` is one English sentence, `words_params` is what it needs to know beside the code. */
export const KeywordWarning = v.object({
  keyword: v.string(),
  stage: v.string(),
  code: v.picklist(WARNING_CODES),
  words: v.string(),
  words_params: v.optional(v.record(v.string(), v.unknown())),
});
export type KeywordWarning = v.InferOutput<typeof KeywordWarning>;

/** What edited words would have done to the people's messages of the period; `before` and `after` count stage moves. Changes come newest first. */
export const KeywordPreview = v.object({
  scanned: v.number(),
  /** since when messages were looked at: later than asked for where there are very many */
  since: nullableText,
  before: v.number(),
  after: v.number(),
  changes: v.array(KeywordChange),
  changes_total: count,
  overlaps: v.array(KeywordOverlap),
  overlaps_total: count,
  warnings: v.array(KeywordWarning),
});
export type KeywordPreview = v.InferOutput<typeof KeywordPreview>;
