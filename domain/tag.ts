import * as v from "valibot";
import { LeadTag } from "./lead.ts";
import { TAGS_MAX } from "./limits.ts";
import { Color } from "./stage.ts";
import { fieldProblem } from "./schema-message.ts";

export const TAG_MAX_CHARS = 60;
export const TAG_DEFAULT_COLOR = "#6b7280";

const name = v.pipe(v.string(), v.trim(), v.minLength(1, fieldProblem("tag_name_missing")), v.maxLength(TAG_MAX_CHARS));

/** A tag, with the number of leads that have it. */
export const Tag = v.object({ ...LeadTag.entries, leads: v.optional(v.number(), 0) });
export type Tag = v.InferOutput<typeof Tag>;
export const TagList = v.array(Tag);

export const TagCreate = v.strictObject({ name, color: v.optional(Color, TAG_DEFAULT_COLOR) });
export type TagCreate = v.InferOutput<typeof TagCreate>;

export const TagPatch = v.strictObject({ name: v.optional(name), color: v.optional(Color) });
export type TagPatch = v.InferOutput<typeof TagPatch>;

export const LeadTagList = v.object({ tags: v.array(LeadTag) });

/** `PUT /leads/{id}/tags`: replaces the lead's tags. */
export const LeadTags = v.strictObject({
  tag_ids: v.pipe(v.array(v.pipe(v.string(), v.uuid(fieldProblem("tag_id")))), v.maxLength(TAGS_MAX)),
});
export type LeadTags = v.InferOutput<typeof LeadTags>;
