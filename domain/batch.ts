import * as v from "valibot";
import { reasonEntries, Id, Timestamp } from "./schema-parts.ts";
import { LeadFilterText } from "./lead-filter.ts";
import { TAGS_MAX } from "./limits.ts";
import { fieldProblem } from "./schema-message.ts";

/** An action on more leads than this becomes a background job. */
export const BATCH_INLINE_MAX = 5_000;
const IDS_MAX = 10_000;

const ids = (most: number) =>
  v.pipe(
    v.array(Id),
    v.minLength(1, fieldProblem("one_missing")),
    v.maxLength(most),
    v.transform((given) => [...new Set(given)]),
  );
const tag_ids = ids(TAGS_MAX);

/** The action on each lead. `until` is a future time; without it a hold lasts until it is resumed. */
export const BatchAction = v.variant(
  "type",
  [
    v.strictObject({ type: v.literal("move"), stage_id: Id }),
    v.strictObject({ type: v.literal("tag"), tag_ids }),
    v.strictObject({ type: v.literal("untag"), tag_ids }),
    v.strictObject({ type: v.literal("hold"), until: v.optional(v.nullable(Timestamp)) }),
    v.strictObject({ type: v.literal("resume") }),
    v.strictObject({ type: v.literal("exclude") }),
  ],
  fieldProblem("batch_action"),
);
export type BatchAction = v.InferOutput<typeof BatchAction>;

/** `POST /leads/batch`: acts on these leads, or on all that match the list's filters when the request arrives. */
export const BatchRequest = v.strictObject({
  where: v.union(
    [v.strictObject({ ids: ids(IDS_MAX) }), v.strictObject({ query: LeadFilterText })],
    fieldProblem("where_unclear"),
  ),
  action: BatchAction,
});
export type BatchRequest = v.InferOutput<typeof BatchRequest>;

const count = v.pipe(v.number(), v.minValue(0));
const undo_id = v.nullable(v.string());

/**
 * The result: how many leads changed, and the id by which the action can be undone for 30 s. `left` counts leads that an undo
 * did not restore, because they were changed in the meantime. `error` says why the rest was not done, if something that the action
 * needs was deleted in the meantime. For very many leads, a job follows.
 */
export const BatchAnswer = v.union([
  v.object({
    changed: count,
    left: v.optional(count, 0),
    undo_id,
    error: v.optional(v.string()),
    ...reasonEntries("error"),
  }),
  v.object({ job_id: v.string() }),
]);
export type BatchAnswer = v.InferOutput<typeof BatchAnswer>;

/** A job's progress: `done` of `total` leads were processed, and `changed` of them changed. */
export const BatchJob = v.object({
  status: v.picklist(["in_progress", "completed", "failed", "cancelled"]),
  done: count,
  total: count,
  undo_id,
  /** until when it can be undone */
  undo_until: v.nullable(v.string()),
  changed: count,
  left: count,
  error: v.nullable(v.string()),
  ...reasonEntries("error"),
});
export type BatchJob = v.InferOutput<typeof BatchJob>;
