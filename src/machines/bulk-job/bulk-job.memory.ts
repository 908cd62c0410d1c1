import { isUiText, type ServerText } from "../../../domain/ui-text.ts";
import * as v from "valibot";
import { BulkTarget, EVERY_STAGE } from "../../../domain/bulk-target.ts";
import { THROTTLE_DEFAULT_SECONDS } from "../../../domain/limits.ts";
import { readJson } from "../../../domain/read-json.ts";
import type { Drafts } from "../../services/drafts.ts";

const Progress = v.object({
  sent: v.number(),
  failed: v.number(),
  total: v.number(),
  pausedUntil: v.nullable(v.string()),
  pausedReason: v.nullable(v.string()),
  pausedCode: v.optional(v.nullable(v.string()), null),
  isHeld: v.optional(v.boolean(), false),
});
const Text = v.custom<ServerText>((value) => isUiText(value) && "english" in value);
const Result = v.variant("kind", [
  v.object({ kind: v.literal("completed"), sent: v.number(), failed: v.number() }),
  v.object({ kind: v.literal("failed"), error: v.nullable(v.union([v.string(), Text])) }),
]);
const RememberedJob = v.object({ jobId: v.string(), progress: v.nullable(Progress), result: v.nullable(Result) });

export type Progress = v.InferOutput<typeof Progress>;
export type BulkResult = v.InferOutput<typeof Result>;
/** The part of a job that survives a reload: its id, progress and result. */
export type RememberedJob = v.InferOutput<typeof RememberedJob>;

export const readJob = (text: string | null): RememberedJob | null => readJson(RememberedJob, text);

/** The unsent form of the bulk sender; of a chosen file its name. */
export const bulkDraft = (drafts: Drafts) =>
  drafts.of("bulk message", { message: v.string(), throttle: v.string(), target: BulkTarget, mediaName: v.string() });
export const EMPTY_FORM = {
  message: "",
  throttle: String(THROTTLE_DEFAULT_SECONDS),
  target: EVERY_STAGE,
  mediaName: "",
};
