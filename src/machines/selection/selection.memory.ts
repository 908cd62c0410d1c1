import * as v from "valibot";
import { readJson } from "../../../domain/read-json.ts";

const RememberedBatch = v.object({
  id: v.string(),
  type: v.picklist(["move", "tag", "untag", "hold", "resume", "exclude"]),
  count: v.number(),
  about: v.string(),
  isUndoing: v.boolean(),
  /** Whether its end was announced, so that only Undo matters. Earlier versions stored it under another name. */
  isAnnounced: v.optional(v.boolean(), false),
});
/** What a reload keeps of a batch. The server knows the rest. */
export type RememberedBatch = v.InferOutput<typeof RememberedBatch>;

export const readBatch = (text: string | null): RememberedBatch | null => readJson(RememberedBatch, text);
