import * as v from "valibot";
import { NAME_MAX_CHARS, STAGE_DEFAULT_COLOR } from "./limits.ts";
import { fieldProblem } from "./schema-message.ts";

export const Color = v.pipe(v.string(), v.regex(/^#[0-9a-fA-F]{6}$/, fieldProblem("colour")));
const KEYWORDS_MAX = 500;
const KEYWORD_MAX_CHARS = 200;

const order = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000));
const stageName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, fieldProblem("stage_name_missing")),
  v.maxLength(NAME_MAX_CHARS),
);
const keywords = v.pipe(
  v.array(v.pipe(v.string(), v.trim(), v.maxLength(KEYWORD_MAX_CHARS))),
  v.transform((list) => list.filter((keyword) => keyword !== "")),
  v.minLength(1, fieldProblem("keyword_missing")),
  v.maxLength(KEYWORDS_MAX),
);

/** A stage. */
export const Stage = v.object({
  id: v.pipe(
    v.union([v.string(), v.number()]),
    v.transform((id) => String(id)),
    v.string(),
  ),
  name: v.optional(v.nullable(v.string()), ""),
  color: v.pipe(
    v.optional(v.nullable(v.string()), STAGE_DEFAULT_COLOR),
    v.transform((color) => color || STAGE_DEFAULT_COLOR),
    v.string(),
  ),
  order: v.optional(v.nullable(v.number()), null),
  keywords: v.pipe(
    v.optional(v.nullable(v.union([v.array(v.string()), v.string()])), []),
    v.transform((value) => (Array.isArray(value) ? value : value ? splitKeywords(value) : [])),
    v.array(v.string()),
  ),
});
export type Stage = v.InferOutput<typeof Stage>;
/** A saved stage; `warnings` lists keywords that will never match. */
export const SavedStage = v.object({ ...Stage.entries, warnings: v.optional(v.array(v.string())) });
export const StageList = v.array(Stage);

export const StageCreate = v.strictObject({
  name: stageName,
  keywords,
  order: v.optional(order),
  color: v.optional(Color, STAGE_DEFAULT_COLOR),
});
export type StageCreate = v.InferOutput<typeof StageCreate>;

export const StagePatch = v.union([
  v.strictObject({ name: stageName, keywords, order, color: Color }),
  v.strictObject({ order }),
]);
export type StagePatch = v.InferOutput<typeof StagePatch>;
/** Everything that the user edits of a stage. */
export type StageFields = Extract<StagePatch, { name: string }>;

/** A stage as it would be saved; its id is the caller's, and absent before it is saved. */
export const StageDraft = v.strictObject({
  id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))),
  name: stageName,
  keywords,
  order,
});
export type StageDraft = v.InferOutput<typeof StageDraft>;

/** Splits keywords at commas, Arabic ones included, and trims them; quoted phrases keep their quotes. */
export function splitKeywords(text: string): string[] {
  return text
    .split(/[,،]/)
    .map((keyword) => keyword.trim())
    .filter((keyword) => keyword !== "");
}

/** True when a keyword holds a quote but is not wrapped in quotes as a whole. */
export function isMalformedKeyword(keyword: string): boolean {
  if (!keyword.includes('"')) return false;
  return !/^"[^"]+"$/.test(keyword);
}

/** Stages in their order; those without one come last. */
export function sortStages<S extends { order: number | null }>(stages: readonly S[]): S[] {
  return stages.toSorted((a, b) => (a.order ?? Number.POSITIVE_INFINITY) - (b.order ?? Number.POSITIVE_INFINITY));
}

export const INITIAL_STAGE = {
  name: "Initial Contact",
  keywords: ["hello"],
  order: 1,
  color: STAGE_DEFAULT_COLOR,
} as const;
