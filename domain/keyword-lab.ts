import * as v from "valibot";
import { fieldProblem } from "./schema-message.ts";
import { StageDraft } from "./stage.ts";

/** How far back stored messages are searched: the maximum and the default. */
const LAB_MAX_DAYS = 90;
/** How many changes and overlaps a response lists; the totals count all. */
export const LAB_MAX_LISTED = 200;

const OVERLAP_KINDS = ["same", "contains"] as const;
/**
 * - `ignored`: empty, or a single character without quotes: it never matches
 * - `short`: two characters without quotes: it occurs inside many words
 * - `inside_words`: it was found in the middle of longer words
 * - `mixed_scripts`: one word of it mixes letters of scripts that look alike, such as a Cyrillic "а" in "price"
 */
const WARNING_CODES = ["ignored", "short", "inside_words", "mixed_scripts"] as const;

const nullableText = v.optional(v.nullable(v.string()), null);
const count = v.optional(v.number(), 0);

/**
 * `POST /stages/preview`: the stages as they would be saved. In the response, a stage without an id is called `new-1`, `new-2`, … by its
 * position in the list.
 */
export const KeywordPreviewRequest = v.strictObject({
  stages: v.pipe(v.array(StageDraft), v.minLength(1, fieldProblem("stages_missing")), v.maxLength(1000)),
  days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LAB_MAX_DAYS)), LAB_MAX_DAYS),
});
export type KeywordPreviewRequest = v.InferOutput<typeof KeywordPreviewRequest>;

/**
 * A message after which the lead would be in another stage than with the saved keywords. `from` is the stage before the message, `before` the one to which the saved
 * keywords move it, `after` the one to which the edited keywords do.
 */
export const KeywordChange = v.object({
  lead_id: v.string(),
  name: nullableText,
  at: v.string(),
  /** the text around the keyword, at most 160 characters */
  excerpt: v.string(),
  /** the keyword's position in the excerpt, in UTF-16 units */
  matched: v.optional(v.nullable(v.object({ start: v.number(), length: v.number() })), null),
  /** the deciding keyword, without quotes: the edited one, or the saved one if no edited keyword matches */
  keyword: v.string(),
  from: nullableText,
  before: nullableText,
  after: nullableText,
});
export type KeywordChange = v.InferOutput<typeof KeywordChange>;

/** Two keywords of different stages that are equal, or of which the first contains the other. */
export const KeywordOverlap = v.object({
  keyword: v.string(),
  stage: v.string(),
  other: v.string(),
  other_stage: v.string(),
  kind: v.picklist(OVERLAP_KINDS),
});
export type KeywordOverlap = v.InferOutput<typeof KeywordOverlap>;

/** A warning about a keyword; `words` is an English sentence, `words_params` holds its parameters. */
export const KeywordWarning = v.object({
  keyword: v.string(),
  stage: v.string(),
  code: v.picklist(WARNING_CODES),
  words: v.string(),
  words_params: v.optional(v.record(v.string(), v.unknown())),
});
export type KeywordWarning = v.InferOutput<typeof KeywordWarning>;

/** What edited keywords would have done with the messages of the period; `before` and `after` count stage moves. Changes come newest first. */
export const KeywordPreview = v.object({
  scanned: v.number(),
  /** the start of the searched period: later than requested if there are very many messages */
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
