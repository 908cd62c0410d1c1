import * as v from "valibot";
import { reasonEntries } from "./schema-parts.ts";
import { fieldProblem } from "./schema-message.ts";

const IMPORT_STATUSES = ["in_progress", "completed", "failed", "cancelled"] as const;
export const IMPORT_MAX_DAYS = 365;

/** `POST /telegram/import`: imports chats with messages from the last days, with or without the account's contacts. */
export const ChatImportRequest = v.strictObject({
  days: v.pipe(v.number(), v.integer(fieldProblem("whole_days")), v.minValue(1), v.maxValue(IMPORT_MAX_DAYS)),
  include_contacts: v.optional(v.boolean(), true),
});
export type ChatImportRequest = v.InferOutput<typeof ChatImportRequest>;

/** The progress of an import: chats checked, and those that became leads. When Telegram asks for a pause, it lasts until `paused_until`. */
export const ChatImport = v.object({
  id: v.string(),
  status: v.picklist(IMPORT_STATUSES),
  scanned: v.number(),
  found: v.number(),
  days: v.optional(v.number()),
  include_contacts: v.optional(v.boolean()),
  paused_until: v.optional(v.nullable(v.string()), null),
  reason: v.optional(v.nullable(v.string()), null),
  ...reasonEntries("reason"),
  created_at: v.optional(v.nullable(v.string()), null),
  finished_at: v.optional(v.nullable(v.string()), null),
});
export type ChatImport = v.InferOutput<typeof ChatImport>;
