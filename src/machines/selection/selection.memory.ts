import * as v from "valibot";
import { readJson } from "../../../domain/read-json.ts";

const RememberedBatch = v.object({
  id: v.string(),
  type: v.picklist(["move", "tag", "untag", "hold", "resume", "exclude"]),
  count: v.number(),
  about: v.string(),
  isUndoing: v.boolean(),
  /** Its end was told already: only the step back is still of interest. An earlier version had another name for it. */
  isAnnounced: v.optional(v.boolean(), false),
});
/** What outlives a reload of work on many leads: plain facts, by which the server tells the rest. */
export type RememberedBatch = v.InferOutput<typeof RememberedBatch>;

/** Reads what was remembered; damaged text counts as nothing. */
export const readBatch = (text: string | null): RememberedBatch | null => readJson(RememberedBatch, text);
